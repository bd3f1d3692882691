/// What stands at a path, without following links.
#pragma once

#include <filesystem>
#include <string>

namespace scree {

std::filesystem::file_status status_of(const std::filesystem::path& file);
bool is_there(const std::filesystem::path& file);

/// @returns the first link on the way from the directory to `name`, itself included; "" without links.
std::string link_on_the_way(const std::filesystem::path& directory, const std::string& name);

}  // namespace scree
