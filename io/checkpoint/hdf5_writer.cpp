/// The writing half of io/checkpoint/hdf5_file.hpp.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "assembly/gather.hpp"
#include "core/error.hpp"
#include "io/checkpoint/hdf5_common.hpp"
#include "io/checkpoint/hdf5_file.hpp"
#include "io/checkpoint/hdf5_handle.hpp"
#include "io/collective.hpp"
#include "io/output/output_names.hpp"

namespace scree::checkpoint {
namespace {

namespace fs = std::filesystem;

/// About what a dataset takes beside its rows, with its attributes [bytes].
constexpr std::size_t kPerDataset = 1500;

herr_t innermost(unsigned /*number*/, const H5E_error2_t* error, void* text) {
  *static_cast<std::string*>(text) = error->desc == nullptr ? "" : error->desc;
  return 1;  // the first is the innermost one
}

/// One file, written by all ranks of a communicator. A rank on which something fails continues to the end:
/// all of it is collective.
class Writer {
 public:
  /// @param parts ranks of the run, whose rows stand one after the other in the file. If one rank writes, it
  ///   has them all. @param bytes that the file will take, about: memory that grows is copied.
  Writer(const fs::path& file, MPI_Comm comm, int parts, std::size_t bytes) : parts_(parts) {
    int ranks = 1;
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks);
    alone_ = ranks == 1;
    const Handle access = made(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    // One rank makes the file in memory: HDF5 may crash where a disk fills up under it.
    constexpr std::size_t kLeast = 1 << 20;
    note(alone_ ? H5Pset_fapl_core(access.id(), std::max(kLeast, bytes), false)
                : H5Pset_fapl_mpio(access.id(), comm, MPI_INFO_NULL));
    // File systems without locks are no reason to fail; the list of files is what is locked.
    note(H5Pset_file_locking(access.id(), false, true));
    file_ = made(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
    folders_ = made(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    note(H5Pset_create_intermediate_group(folders_.id(), 1));
    creation_ = made(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    note(H5Pset_obj_track_times(creation_.id(), false));  // equal states are equal files
    note(H5Pset_fill_time(creation_.id(), H5D_FILL_TIME_NEVER));
    transfer_ = made(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    if (!alone_) note(H5Pset_dxpl_mpio(transfer_.id(), H5FD_MPIO_COLLECTIVE));
  }

  void attribute(hid_t of, const char* name, const std::string& text) {
    const Handle type = made(H5Tcopy(H5T_C_S1), H5Tclose);
    note(H5Tset_size(type.id(), std::max<std::size_t>(1, text.size())));
    note(H5Tset_strpad(type.id(), H5T_STR_NULLPAD));
    note(H5Tset_cset(type.id(), H5T_CSET_UTF8));
    const std::string padded = text.empty() ? std::string(1, '\0') : text;
    attribute(of, name, type.id(), type.id(), {}, padded.data());
  }
  void attribute(hid_t of, const char* name, std::int64_t number) {
    attribute(of, name, H5T_STD_I64LE, H5T_NATIVE_INT64, {}, &number);
  }
  void attribute(hid_t of, const char* name, double number) {
    attribute(of, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, &number);
  }

  /// @param rows, hashes of the ranks; empty: rank 0 writes all.
  void column(const Column& column, const std::vector<std::int64_t>& rows,
              const std::vector<std::uint64_t>& hashes, bool own) {
    hsize_t before = 0, all = 0;
    for (int r = 0; r < parts_; ++r) {
      if (r < rank_) before += static_cast<hsize_t>(rows[r]);
      all += static_cast<hsize_t>(rows[r]);
    }
    const hsize_t part = own || rank_ == 0 ? static_cast<hsize_t>(rows[rank_]) : 0;
    const hsize_t mine = alone_ ? all : part;
    const hsize_t width = column.width;
    const int rank = width > 1 ? 2 : 1;
    const hsize_t size[2] = {all, width}, start[2] = {before, 0}, count[2] = {mine, width};
    const Handle space = made(H5Screate_simple(rank, size, nullptr), H5Sclose);
    const hid_t type = file_type(column.type);
    Handle set = made(H5Dcreate2(file_.id(), column.name.c_str(), type, space.id(), folders_.id(),
                                 creation_.id(), H5P_DEFAULT),
                      H5Dclose);
    if (!column.unit.empty()) attribute(set.id(), kUnits, column.unit);
    if (own) {
      const std::vector<hsize_t> per_rank = {static_cast<hsize_t>(parts_)};
      attribute(set.id(), kRows, H5T_STD_I64LE, H5T_NATIVE_INT64, per_rank, rows.data());
      attribute(set.id(), kHashes, H5T_STD_U64LE, H5T_NATIVE_UINT64, per_rank, hashes.data());
    } else {
      attribute(set.id(), kHashes, H5T_STD_U64LE, H5T_NATIVE_UINT64, {1}, hashes.data());
    }
    if (all > 0) {
      const Handle memory = made(H5Screate_simple(rank, count, nullptr), H5Sclose);
      if (mine > 0) {
        note(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start, nullptr, count, nullptr));
      } else {
        note(H5Sselect_none(space.id()));
        note(H5Sselect_none(memory.id()));
      }
      note(H5Dwrite(set.id(), type, memory.id(), space.id(), transfer_.id(), column.bytes.data()));
    }
    note(set.close());
  }

  void head(const Head& head) {
    attribute(file_.id(), kFormat, kFormatName);
    attribute(file_.id(), kFormatNumber, std::int64_t{kFormatVersion});
    attribute(file_.id(), "program_version", head.program);
    attribute(file_.id(), "ranks", std::int64_t{head.ranks});
    attribute(file_.id(), "time", head.time);
    attribute(file_.id(), "step", head.step);
    attribute(file_.id(), "at_end", std::int64_t{head.at_end ? 1 : 0});
    attribute(file_.id(), "deck_file", head.deck_file);
    attribute(file_.id(), "deck_path", head.deck_path);
    attribute(file_.id(), "deck_hash", hash_of(head.deck));
    text("deck", head.deck);
    text("files", head.files);
    text("petsc_options", head.options);
  }

  /// @param[out] image the file, if it was made in memory. @returns what failed first on this rank; "" if
  /// nothing did.
  std::string close(std::vector<char>& image) {
    if (alone_) {
      note(H5Fflush(file_.id(), H5F_SCOPE_LOCAL));
      const ssize_t size = H5Fget_file_image(file_.id(), nullptr, 0);
      note(size > 0 ? 0 : -1);
      image.resize(static_cast<std::size_t>(std::max<ssize_t>(0, size)));
      if (size > 0) note(H5Fget_file_image(file_.id(), image.data(), image.size()) == size ? 0 : -1);
    }
    note(file_.close());
    return failure_;
  }

 private:
  void note(herr_t status) {
    if (status >= 0 || !failure_.empty()) return;
    failure_ = "HDF5 reports an error";
    std::string reason_of_hdf5;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &reason_of_hdf5);
    if (!reason_of_hdf5.empty()) failure_ += ": " + reason_of_hdf5;
  }
  Handle made(hid_t id, Handle::Close closer) {
    note(id < 0 ? -1 : 0);
    return {id, closer};
  }
  void attribute(hid_t of, const char* name, hid_t type, hid_t memory_type, const std::vector<hsize_t>& size,
                 const void* data) {
    const Handle space =
        made(size.empty() ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
             H5Sclose);
    const Handle attribute = made(H5Acreate2(of, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    note(H5Awrite(attribute.id(), memory_type, data));
  }
  /// A text as a dataset of one string.
  void text(const char* name, const std::string& text) {
    const Handle type = made(H5Tcopy(H5T_C_S1), H5Tclose);
    note(H5Tset_size(type.id(), std::max<std::size_t>(1, text.size())));
    note(H5Tset_strpad(type.id(), H5T_STR_NULLPAD));
    note(H5Tset_cset(type.id(), H5T_CSET_UTF8));
    const Handle space = made(H5Screate(H5S_SCALAR), H5Sclose);
    Handle set =
        made(H5Dcreate2(file_.id(), name, type.id(), space.id(), folders_.id(), creation_.id(), H5P_DEFAULT),
             H5Dclose);
    const std::string padded = text.empty() ? std::string(1, '\0') : text;
    // A text is the same on all ranks; one of them writes it.
    const Handle memory = made(H5Scopy(space.id()), H5Sclose);
    if (rank_ != 0) {
      note(H5Sselect_none(memory.id()));
      note(H5Sselect_none(space.id()));
    }
    note(H5Dwrite(set.id(), type.id(), memory.id(), space.id(), transfer_.id(), padded.data()));
    note(set.close());
  }

  int rank_ = 0, parts_ = 1;
  bool alone_ = true;
  Handle file_, folders_, creation_, transfer_;
  std::string failure_;
};

std::string reason_of_hdf5(int error) { return std::generic_category().message(error); }

/// Creates the temporary file with all of its room, as far as the file system can: HDF5 does not survive a
/// disk that fills up under it. @throws RunError.
void probe_room(const fs::path& file, const fs::path& temporary, std::size_t bytes) {
  const int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0)
    throw RunError(fmt::format("{}: cannot be written: {}.", file.string(), reason_of_hdf5(errno)));
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  ::close(descriptor);
  if (error != ENOSPC && error != EDQUOT && error != EFBIG) return;
  ::unlink(temporary.c_str());
  throw RunError(fmt::format("{}: cannot be written: {}; the checkpoint takes {} bytes.", file.string(),
                             reason_of_hdf5(error), bytes));
}

/// Fills the temporary file. @throws RunError.
void write_image(const fs::path& file, const fs::path& temporary, const std::vector<char>& image) {
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  int error = descriptor < 0 ? errno : 0;
  for (std::size_t at = 0; error == 0 && at < image.size();) {
    const ssize_t written =
        ::pwrite(descriptor, image.data() + at, image.size() - at, static_cast<off_t>(at));
    if (written >= 0) {
      at += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error == 0 && ::ftruncate(descriptor, static_cast<off_t>(image.size())) != 0) error = errno;
  if (descriptor >= 0 && ::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0)
    throw RunError(fmt::format("{}: cannot be written: {}.", file.string(), reason_of_hdf5(error)));
}

/// A file has to be on the disk before it takes the name: after a loss of power there is no half of one.
void give_name(const fs::path& file, const fs::path& temporary) {
  const auto flush = [](const fs::path& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0) return errno;
    const int error = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    return error;
  };
  int error = flush(temporary, O_RDWR);
  if (error == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) {
    // Not all file systems flush folders.
    [[maybe_unused]] const int ignored =
        flush(file.has_parent_path() ? file.parent_path() : fs::path("."), O_RDONLY | O_DIRECTORY);
    return;
  }
  ::unlink(temporary.c_str());
  throw RunError(fmt::format("{}: cannot be written: {}.", file.string(), reason_of_hdf5(error)));
}

template <class T>
std::vector<T> of_all_ranks(const std::vector<T>& mine, MPI_Datatype type, int ranks, MPI_Comm comm) {
  std::vector<T> all(mine.size() * static_cast<std::size_t>(ranks));
  const int count = static_cast<int>(mine.size());
  MPI_Allgather(mine.data(), count, type, all.data(), count, type, comm);
  return all;
}

}  // namespace

void write_file(const fs::path& file, Head head, const std::vector<Column>& common,
                const std::vector<Column>& own, MPI_Comm comm, std::size_t gathered) {
  // All ranks write what a file begins with together.
  for (std::string* text :
       {&head.program, &head.deck_file, &head.deck_path, &head.deck, &head.files, &head.options})
    broadcast(comm, 0, *text);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<std::int64_t> rows;
  std::vector<std::uint64_t> hashes;
  for (const std::vector<Column>* columns : {&common, &own}) {
    for (const Column& column : *columns) {
      rows.push_back(columns == &own || rank == 0 ? static_cast<std::int64_t>(column.rows()) : 0);
      hashes.push_back(checksum(column.bytes.data(), column.bytes.size()));
    }
  }
  const std::size_t sets = rows.size();
  rows = of_all_ranks(rows, MPI_INT64_T, ranks, comm);
  hashes = of_all_ranks(hashes, MPI_UINT64_T, ranks, comm);
  const fs::path temporary = file.string() + std::string(kTemporarySuffix);
  std::size_t bytes =
      head.deck.size() + head.files.size() + sets * (kPerDataset + 32 * static_cast<std::size_t>(ranks));
  std::size_t k = 0;
  for (const std::vector<Column>* columns : {&common, &own}) {
    for (const Column& column : *columns) {
      for (int r = 0; r < ranks; ++r)
        bytes += static_cast<std::size_t>(rows[r * sets + k]) * column.row_bytes();
      ++k;
    }
  }
  const bool by_one = bytes <= gathered;
  together(comm, [&] {
    if (rank != 0) return;
    std::error_code ignored;  // what cannot be created is reported for the file
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), ignored);
    if (!by_one) probe_room(file, temporary, bytes);
  });
  const Quiet quiet;
  std::vector<Column> of_all;
  if (by_one && ranks > 1) {
    for (const Column& column : own) {
      Column& whole = of_all.emplace_back(Column{column.name, column.unit, column.type, column.width, {}});
      whole.bytes = gather_to_root(column.bytes, comm);
    }
  }
  std::vector<char> image;
  std::string failure;
  const auto make = [&](MPI_Comm writers, const std::vector<Column>& rows_of_own) {
    Writer writer(temporary, writers, ranks, bytes);
    writer.head(head);
    k = 0;
    for (const std::vector<Column>* columns : {&common, &rows_of_own}) {
      for (const Column& column : *columns) {
        std::vector<std::int64_t> of_ranks;
        std::vector<std::uint64_t> hashes_of_ranks;
        for (int r = 0; r < ranks; ++r) {
          of_ranks.push_back(rows[r * sets + k]);
          hashes_of_ranks.push_back(hashes[r * sets + k]);
        }
        writer.column(column, of_ranks, hashes_of_ranks, columns == &rows_of_own);
        ++k;
      }
    }
    failure = writer.close(image);
  };
  if (!by_one) {
    make(comm, own);
  } else if (rank == 0) {
    make(MPI_COMM_SELF, ranks > 1 ? of_all : own);
  }
  try {
    together(comm, [&] {
      if (!failure.empty()) throw RunError(fmt::format("{}: cannot be written: {}.", file.string(), failure));
      if (image.empty()) return;
      probe_room(file, temporary, image.size());
      write_image(file, temporary, image);
    });
  } catch (...) {
    if (rank == 0) ::unlink(temporary.c_str());
    throw;
  }
  together(comm, [&] {
    if (rank == 0) give_name(file, temporary);
  });
}

}  // namespace scree::checkpoint
