/// The folder in which a run leaves its files. The check of it is declared in io/observers.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solvers/model.hpp"

namespace scree {

/// A file of the run, relative to the results folder, and the JSON pointer of what asks for it.
struct NamedFile {
  std::string where, file;
};

/// @returns the files whose names the deck chose, and one for each folder that the run needs beside.
std::vector<NamedFile> named_files(const OutputDescription& output);

/// Removes the numbered files of an earlier run, so that a shorter run leaves no mixture of the two: regular
/// files in `folder` called `prefix`, digits (and "_" between digits), `suffix`. A missing folder has none.
void remove_series(const std::string& folder, std::string_view prefix, std::string_view suffix);

}  // namespace scree
