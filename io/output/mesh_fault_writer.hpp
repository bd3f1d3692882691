/// Pictures of meshes that were rejected, for ParaView.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/mesh/mesh_faults.hpp"

namespace scree {

/// Writes a file NAME_faults.vtp for each mesh: its faces, and its free and clashing edges as lines. Cell
/// data "fault": 0 none, 1 free edge, 2 edge traversed twice in the same direction, 3 face without area, 4
/// face that intersects another, 5 enclosed or inverted face. Where a name is taken, by a shape or by one
/// that differs in characters that names of files lack, it gets a number: NAME_2. Files that are listed in
/// the directory are replaced, others are not (io/output/results_list.hpp). @param deck for which they are
/// listed. @returns the names of the files.
/// @throws RunError (file and reason); none is written if one may not be replaced.
std::vector<std::string> write_mesh_faults(const std::vector<MeshFaults>& meshes,
                                           const std::string& directory, const std::filesystem::path& deck);

}  // namespace scree
