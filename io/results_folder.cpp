#include "io/results_folder.hpp"

#include <mpi.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "core/error.hpp"
#include "io/checked_file.hpp"
#include "io/collective.hpp"
#include "io/observers.hpp"

namespace scree {
namespace fs = std::filesystem;

std::vector<NamedFile> named_files(const OutputDescription& output) {
  std::vector<NamedFile> files;
  for (std::size_t h = 0; h < output.histories.size(); ++h) {
    files.push_back({"/output/histories/" + std::to_string(h) + "/file", output.histories[h].file});
  }
  if (!output.final_state.empty()) files.push_back({"/output/final_state", output.final_state});
  if (output.vtk_every >= 0) files.push_back({"/output/vtk", "vtk/bodies"});
  return files;
}

void remove_series(const std::string& folder, std::string_view prefix, std::string_view suffix) {
  std::error_code ignored;  // what cannot be listed or removed is told when it cannot be written
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) continue;
    if (name.size() <= prefix.size() + suffix.size() || !entry.is_regular_file(ignored)) continue;
    const std::string_view number =
        std::string_view(name).substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    if (number.find_first_not_of("0123456789_") == std::string_view::npos) fs::remove(entry.path(), ignored);
  }
}

void check_results_folder(const Model& model, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const fs::path folder = model.output.directory;
  std::string where;  // the same on all ranks if there is a failure, see below
  std::vector<NamedFile> probes = named_files(model.output);
  probes.insert(probes.begin(), NamedFile{"/output/directory", "file"});
  for (const auto& probe : probes) {
    where = probe.where;
    try {
      together(comm, [&] {
        if (rank != 0) return;
        const fs::path file = folder / probe.file;
        if (fs::is_directory(file))
          throw RunError("\"" + file.string() + "\" is a folder; expected a file name.");
        const fs::path parent = file.parent_path();
        if (::access(file.c_str(), F_OK) == 0 && ::access(file.c_str(), W_OK) != 0) {
          throw RunError("\"" + file.string() +
                         "\" exists and may not be written; expected a file that may.");
        }
        std::error_code error;
        if (!parent.empty()) fs::create_directories(parent, error);
        if (error) {
          throw RunError("the folder \"" + parent.string() + "\" cannot be created (" + error.message() +
                         "); expected a folder that can be created and written.");
        }
        try {
          // Never committed, so that it leaves nothing behind.
          WholeFile trial((parent / ".scree_write_test").string());
          trial.append("can this folder be written, and has it room?\n");
        } catch (const RunError& failure) {
          throw RunError("nothing can be written to the folder \"" + parent.string() + "\" (" +
                         failure.what() + "); expected a folder that can be written.");
        }
      });
    } catch (const RunError& failure) {
      throw InputError(where, failure.what());
    }
  }
}

}  // namespace scree
