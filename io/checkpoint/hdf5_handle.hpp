/// HDF5 objects that close themselves.
#pragma once

#include <hdf5.h>

#include <utility>

namespace scree::checkpoint {

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  ~Handle() { close(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  /// @returns a negative number if it could not be closed: what it held may be lost.
  herr_t close() {
    const hid_t id = std::exchange(id_, -1);
    const herr_t status = id >= 0 ? close_(id) : 0;
    // HDF5 keeps what it could not close, half destroyed, and would close it again when the program ends, and
    // crash. What is in use stays.
    if (status < 0) H5Iinc_ref(id);
    return status;
  }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Without the messages that HDF5 prints by itself.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  Quiet(Quiet&&) = delete;
  Quiet& operator=(Quiet&&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace scree::checkpoint
