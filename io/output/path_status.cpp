#include "io/output/path_status.hpp"

#include <system_error>

namespace scree {

namespace fs = std::filesystem;

fs::file_status status_of(const fs::path& file) {
  std::error_code ignored;
  return fs::symlink_status(file, ignored);
}

bool is_there(const fs::path& file) { return fs::exists(status_of(file)); }

std::string link_on_the_way(const fs::path& directory, const std::string& name) {
  fs::path way;
  for (const auto& part : fs::path(name)) {
    way /= part;
    if (fs::is_symlink(status_of(directory / way))) return way.string();
  }
  return "";
}

}  // namespace scree
