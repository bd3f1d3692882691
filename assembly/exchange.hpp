/// Messages between ranks of which only the sender knows that there is one.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace scree {

/// Bytes for, or from, one rank.
struct Parcel {
  int rank = 0;
  std::vector<std::byte> bytes;
};

/// Sends each parcel to its rank and receives what the others send here; at most one parcel per rank, one's
/// own rank allowed. Costs grow with the number of neighbours, not of ranks.
/// @returns what came in, ascending by rank of the sender. @throws RunError if PETSc or MPI fails or a parcel
/// has more than 2^31 bytes. Collective.
std::vector<Parcel> exchange_parcels(MPI_Comm comm, const std::vector<Parcel>& parcels);

/// The same where both sides know already: `incoming` names the senders and has room for exactly what they
/// send. Collective over the ranks that send or receive (all ranks of comm must call it, for the message
/// tag).
void exchange_known_parcels(MPI_Comm comm, const std::vector<Parcel>& outgoing,
                            std::vector<Parcel>& incoming);

/// Whether values of T may travel as their bytes: nothing in them points elsewhere. (Eigen's fixed-size types
/// are that, though not trivially copyable by the letter.)
template <class T>
inline constexpr bool kTravelsAsBytes = std::is_trivially_destructible_v<T>&& std::is_standard_layout_v<T>;

/// Appends the bytes of `value`.
template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  static_assert(kTravelsAsBytes<T>);
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}

/// Reads values in the order in which they were appended. The bytes must outlive the reader.
class ByteReader {
 public:
  explicit ByteReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
  [[nodiscard]] bool done() const { return at_ == bytes_.size(); }
  /// @throws std::out_of_range if fewer bytes are left.
  template <class T>
  T next() {
    static_assert(kTravelsAsBytes<T>);
    T value;
    std::memcpy(static_cast<void*>(&value), next_bytes(sizeof(T)), sizeof(T));
    return value;
  }
  /// @returns where `count` bytes begin. @throws std::out_of_range if fewer are left.
  const std::byte* next_bytes(std::size_t count) {
    if (count > bytes_.size() - at_) throw std::out_of_range("ByteReader: the message is too short");
    const std::byte* first = bytes_.data() + at_;
    at_ += count;
    return first;
  }

 private:
  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

}  // namespace scree
