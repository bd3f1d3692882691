/// The reading half of io/checkpoint/hdf5_file.hpp. Each rank reads by itself.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "io/checkpoint/hdf5_common.hpp"
#include "io/checkpoint/hdf5_file.hpp"
#include "io/checkpoint/hdf5_handle.hpp"

namespace scree::checkpoint {

hid_t file_type(Scalar type) {
  switch (type) {
    case Scalar::int8:
      return H5T_STD_I8LE;
    case Scalar::uint8:
      return H5T_STD_U8LE;
    case Scalar::int32:
      return H5T_STD_I32LE;
    case Scalar::int64:
      return H5T_STD_I64LE;
    case Scalar::uint64:
      return H5T_STD_U64LE;
    case Scalar::float64:
      break;
  }
  return H5T_IEEE_F64LE;
}

std::uint64_t checksum(const std::byte* bytes, std::size_t size) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  std::uint64_t hash = 14695981039346656037u;
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= size; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, sizeof word);
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 32;
  }
  for (; at < size; ++at) hash = (hash ^ static_cast<std::uint64_t>(bytes[at])) * kPrime;
  return hash;
}

std::string hash_of(const std::string& bytes) {
  return fmt::format("{:016x}", checksum(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()));
}

namespace {

namespace fs = std::filesystem;

class Reader {
 public:
  explicit Reader(const fs::path& file) : name_(file.string()) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status)) fail("it is a folder; expected a checkpoint file in it");
    if (status.type() == fs::file_type::not_found) fail("there is no such file");
    if (!fs::is_regular_file(status)) fail(error ? error.message() : "it is no regular file");
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.id(), false, true);
    if (H5Fis_hdf5(name_.c_str()) <= 0) fail("it is no HDF5 file");
    file_ = Handle(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
    if (!file_.valid()) fail("it is not whole");
    if (H5Aexists(file_.id(), kFormat) <= 0 || text_attribute(kFormat) != kFormatName)
      fail("it is an HDF5 file of another program");
    const std::int64_t version = number_attribute(kFormatNumber);
    if (version != kFormatVersion) {
      fail(fmt::format("it has format {} of {} version of Scree ({}); this version reads format {}", version,
                       version > kFormatVersion ? "a newer" : "an older", text_attribute("program_version"),
                       kFormatVersion));
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UnreadableFile(fmt::format("{}: {}.", name_, what));
  }

  std::string text_attribute(const char* name) {
    const Handle attribute(H5Aopen(file_.id(), name, H5P_DEFAULT), H5Aclose);
    const Handle type(attribute.valid() ? H5Aget_type(attribute.id()) : -1, H5Tclose);
    if (!type.valid() || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0)
      damaged(name);
    std::string text(H5Tget_size(type.id()), '\0');
    if (H5Aread(attribute.id(), type.id(), text.data()) < 0) damaged(name);
    return text.substr(0, text.find_last_not_of('\0') + 1);
  }
  std::int64_t number_attribute(const char* name) {
    std::int64_t number = 0;
    read_scalar(name, H5T_NATIVE_INT64, &number);
    return number;
  }
  double real_attribute(const char* name) {
    double number = 0;
    read_scalar(name, H5T_NATIVE_DOUBLE, &number);
    return number;
  }
  std::string text(const char* name) {
    const Handle set(H5Dopen2(file_.id(), name, H5P_DEFAULT), H5Dclose);
    const Handle type(set.valid() ? H5Dget_type(set.id()) : -1, H5Tclose);
    if (!type.valid() || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0)
      damaged(name);
    std::string text(H5Tget_size(type.id()), '\0');
    if (H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) damaged(name);
    return text.substr(0, text.find_last_not_of('\0') + 1);
  }

  /// @returns names of all columns.
  std::vector<std::string> names() {
    std::vector<std::string> names;
    const auto visit = [](hid_t, const char* name, const H5O_info_t* info, void* data) -> herr_t {
      if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(data)->emplace_back(name);
      return 0;
    };
    if (H5Ovisit2(file_.id(), H5_INDEX_NAME, H5_ITER_INC, visit, &names, H5O_INFO_BASIC) < 0) damaged("/");
    std::erase_if(names, [](const std::string& name) { return name.find('/') == std::string::npos; });
    return names;
  }

  /// @param rank whose rows are read; -1: the rows are those of all ranks.
  Column column(const std::string& name, int rank) {
    Column column;
    column.name = name;
    const Handle set(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle type(set.valid() ? H5Dget_type(set.id()) : -1, H5Tclose);
    const Handle space(set.valid() ? H5Dget_space(set.id()) : -1, H5Sclose);
    if (!type.valid() || !space.valid()) damaged(name);
    column.type = scalar(type.id(), name);
    const int rank_of_space = H5Sget_simple_extent_ndims(space.id());
    hsize_t size[2] = {0, 1};
    if (rank_of_space < 1 || rank_of_space > 2 || H5Sget_simple_extent_dims(space.id(), size, nullptr) < 0)
      damaged(name);
    column.width = static_cast<std::size_t>(size[1]);
    if (column.width == 0) damaged(name);
    const auto hashes = list<std::uint64_t>(set.id(), kHashes, H5T_NATIVE_UINT64);
    hsize_t start[2] = {0, 0}, count[2] = {size[0], size[1]};
    std::size_t part = 0;
    if (rank >= 0) {
      const auto rows = list<std::int64_t>(set.id(), kRows, H5T_NATIVE_INT64);
      part = static_cast<std::size_t>(rank);
      hsize_t sum = 0;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r] < 0) damaged(name);
        if (r == part) start[0] = sum;
        sum += static_cast<hsize_t>(rows[r]);
      }
      if (part >= rows.size() || sum != size[0]) damaged(name);
      count[0] = static_cast<hsize_t>(rows[part]);
    }
    if (part >= hashes.size()) damaged(name);
    // The size stands in the file, whose length is known to be that of a whole one.
    column.bytes.resize(static_cast<std::size_t>(count[0]) * column.row_bytes());
    if (count[0] > 0) {
      const Handle memory(H5Screate_simple(rank_of_space, count, nullptr), H5Sclose);
      if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
          H5Dread(set.id(), file_type(column.type), memory.id(), space.id(), H5P_DEFAULT,
                  column.bytes.data()) < 0)
        damaged(name);
    }
    if (checksum(column.bytes.data(), column.bytes.size()) != hashes[part]) damaged(name);
    return column;
  }

 private:
  [[noreturn]] void damaged(const std::string& name) const {
    fail(fmt::format("it is damaged at \"{}\"", name));
  }

  void read_scalar(const char* name, hid_t type, void* number) {
    const Handle attribute(H5Aopen(file_.id(), name, H5P_DEFAULT), H5Aclose);
    const Handle space(attribute.valid() ? H5Aget_space(attribute.id()) : -1, H5Sclose);
    if (!space.valid() || H5Sget_simple_extent_npoints(space.id()) != 1 ||
        H5Aread(attribute.id(), type, number) < 0)
      damaged(name);
  }
  template <class T>
  std::vector<T> list(hid_t of, const char* name, hid_t type) {
    const Handle attribute(H5Aopen(of, name, H5P_DEFAULT), H5Aclose);
    const Handle space(attribute.valid() ? H5Aget_space(attribute.id()) : -1, H5Sclose);
    const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
    if (count < 0) damaged(name);
    std::vector<T> values(static_cast<std::size_t>(count));
    if (count > 0 && H5Aread(attribute.id(), type, values.data()) < 0) damaged(name);
    return values;
  }
  [[nodiscard]] Scalar scalar(hid_t type, const std::string& name) const {
    for (const Scalar one :
         {Scalar::int8, Scalar::uint8, Scalar::int32, Scalar::int64, Scalar::uint64, Scalar::float64})
      if (H5Tequal(type, file_type(one)) > 0) return one;
    damaged(name);
  }

  std::string name_;
  Handle file_;
};

bool is_own(const std::string& name) { return name.starts_with(std::string(kOwn) + '/'); }

}  // namespace

Head read_head(const fs::path& file) {
  const Quiet quiet;
  Reader reader(file);
  Head head;
  head.program = reader.text_attribute("program_version");
  head.ranks = static_cast<int>(reader.number_attribute("ranks"));
  head.time = reader.real_attribute("time");
  head.step = reader.number_attribute("step");
  head.at_end = reader.number_attribute("at_end") != 0;
  head.deck_file = reader.text_attribute("deck_file");
  head.deck_path = reader.text_attribute("deck_path");
  head.deck = reader.text("deck");
  head.files = reader.text("files");
  head.options = reader.text("petsc_options");
  if (hash_of(head.deck) != reader.text_attribute("deck_hash")) reader.fail("it is damaged at \"deck\"");
  if (head.ranks < 1) reader.fail("it is damaged at \"ranks\"");
  return head;
}

std::vector<Column> read_common(const fs::path& file) {
  const Quiet quiet;
  Reader reader(file);
  std::vector<Column> columns;
  for (const std::string& name : reader.names())
    if (!is_own(name)) columns.push_back(reader.column(name, -1));
  return columns;
}

std::vector<Column> read_own(const fs::path& file, int rank,
                             const std::function<bool(const std::string&)>& wanted) {
  const Quiet quiet;
  Reader reader(file);
  std::vector<Column> columns;
  for (const std::string& name : reader.names())
    if (is_own(name) && (!wanted || wanted(name))) columns.push_back(reader.column(name, rank));
  return columns;
}

}  // namespace scree::checkpoint
