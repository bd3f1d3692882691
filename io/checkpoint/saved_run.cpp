#include "io/checkpoint/saved_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "io/output/number_format.hpp"
#include "io/output/output_names.hpp"

namespace scree::checkpoint {
namespace {

namespace fs = std::filesystem;

/// Throws where columns do not hold what they should, with the name of the file.
template <class Work>
auto of_file(const fs::path& file, Work&& work) {
  try {
    return work();
  } catch (const std::out_of_range& error) {
    throw UnreadableFile(
        fmt::format("{}: its content is not that of a checkpoint: {}.", file.string(), error.what()));
  }
}

template <class T>
std::vector<T> in_order(const std::vector<T>& values, const std::vector<std::size_t>& order) {
  if (values.empty()) return {};
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const std::size_t k : order) sorted.push_back(values[k]);
  return sorted;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// What a state has that is the same on all ranks, whatever bodies they have.
struct SharedState {
  BodiesState all;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("boundaries", self.all.boundaries, "");
    archive("active", self.all.active, "");
    archive("surfaces", self.all.surfaces, "");
    archive("bonds_broke", self.all.bonds_broke, "");
    archive("uneven", self.all.uneven, "");
    archive("travel", self.all.travel, "m");
    archive("reach", self.all.reach, "m");
  }
};

/// Bodies and contacts are nearly all of a file, and a rank that gets none of them may be one of thousands.
bool is_of_bodies(const std::string& column) {
  return column.starts_with("world/properties") || column.starts_with("world/bodies") ||
         column.starts_with("world/memory") || column.starts_with("world/rigid_wrenches");
}

/// Contacts and bonds between bodies of two ranks are known to both.
template <class Memory>
void remove_twins(std::vector<Memory>& memory) {
  const auto key = [](const Memory& m) { return std::tuple(m.id_a, m.id_b, m.image); };
  std::stable_sort(memory.begin(), memory.end(),
                   [&](const Memory& a, const Memory& b) { return key(a) < key(b); });
  memory.erase(std::unique(memory.begin(), memory.end(),
                           [&](const Memory& a, const Memory& b) { return key(a) == key(b); }),
               memory.end());
}

}  // namespace

StateNames::StateNames(const Model& model) {
  for (const Shape& shape : model.shapes) shapes.push_back(shape.name);
  for (const Material& material : model.materials) materials.push_back(material.name);
  for (const BoundaryPart& part : model.boundary_parts)
    boundaries.push_back(boundary_label(model, part.boundary));
  if (model.block) {
    bodies = model.block->names;
  } else {
    for (std::size_t id = 0; id < model.bodies.size(); ++id)
      if (!model.bodies[id].name.empty()) bodies[static_cast<BodyId>(id)] = model.bodies[id].name;
  }
}

CoupledMeshes::CoupledMeshes(const Model& model) {
  for (const BoundaryPart& part : model.boundary_parts) {
    if (part.wall < 0 || !model.boundaries[static_cast<std::size_t>(part.boundary)].motion.coupled) continue;
    const Shape& shape = model.walls[static_cast<std::size_t>(part.wall)];
    CoupledMesh& mesh = surfaces.emplace_back();
    mesh.boundary = part.boundary;
    mesh.reference = shape.vertices;
    for (const Face& face : shape.faces)
      mesh.triangles.push_back({face.loop.at(0), face.loop.at(1), face.loop.at(2)});
  }
}

StateNames names_of(const SavedRun& run) {
  return of_file(run.file, [&] {
    ColumnReader reader(run.common);
    StateNames names;
    reader("names", names, "");
    return names;
  });
}

bool has_coupled_meshes(const SavedRun& run) {
  return std::any_of(run.common.begin(), run.common.end(),
                     [](const Column& column) { return column.name.starts_with("coupling/"); });
}

CoupledMeshes coupled_meshes_of(const SavedRun& run) {
  return of_file(run.file, [&] {
    CoupledMeshes meshes;
    if (!has_coupled_meshes(run)) return meshes;
    ColumnReader reader(run.common);
    reader("coupling", meshes, "");
    return meshes;
  });
}

std::vector<NumberedPath> files_in(const fs::path& folder) {
  std::vector<NumberedPath> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::optional<NumberedFile> file = numbered_file(entry.path().filename().string());
    if (file && file->series == NumberedFile::Series::checkpoints)
      files.push_back({file->number, entry.path()});
  }
  std::sort(files.begin(), files.end(),
            [](const NumberedPath& a, const NumberedPath& b) { return a.number > b.number; });
  return files;
}

BodiesState merged(std::vector<BodiesState> parts) {
  BodiesState all = std::move(parts.front());
  if (parts.size() == 1) return all;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    append(all.properties, parts[k].properties);
    append(all.bodies, parts[k].bodies);
    append(all.rigid_wrenches, parts[k].rigid_wrenches);
    append(all.memory.contacts, parts[k].memory.contacts);
    append(all.memory.bonds, parts[k].memory.bonds);
  }
  std::vector<std::size_t> order(all.properties.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return all.properties[a].id < all.properties[b].id; });
  all.properties = in_order(all.properties, order);
  all.bodies = in_order(all.bodies, order);
  all.rigid_wrenches = in_order(all.rigid_wrenches, order);
  remove_twins(all.memory.contacts);
  remove_twins(all.memory.bonds);
  return all;
}

SavedRun read(const fs::path& file, int rank, int ranks) {
  SavedRun run;
  run.file = file;
  run.head = read_head(file);
  run.common = read_common(file);
  run.redistribute = run.head.ranks != ranks;
  const auto part = [&](int of) {
    return of_file(file, [&] {
      const std::vector<Column> columns = read_own(file, of);
      ColumnReader reader(columns);
      BodiesState state;
      reader("world", state, "");
      reader.finish();
      if (state.bodies.size() != state.properties.size() ||
          (!state.rigid_wrenches.empty() && state.rigid_wrenches.size() != state.bodies.size()))
        throw std::out_of_range("columns of bodies have different numbers of rows");
      return state;
    });
  };
  // Neighbouring ranks had neighbouring bodies.
  const int first = static_cast<int>(static_cast<long>(rank) * run.head.ranks / ranks);
  const int last = static_cast<int>((static_cast<long>(rank) + 1) * run.head.ranks / ranks);
  std::vector<BodiesState> parts;
  for (int of = first; of < last; ++of) parts.push_back(part(of));
  if (parts.empty()) {
    parts.push_back(of_file(file, [&] {
      const std::vector<Column> columns =
          read_own(file, 0, [](const std::string& name) { return !is_of_bodies(name); });
      ColumnReader reader(columns);
      SharedState shared;
      reader("world", shared, "");
      reader.finish();
      return std::move(shared.all);
    }));
  }
  run.bodies = merged(std::move(parts));
  return run;
}

void refuse_without_checkpoint(const fs::path& folder) {
  std::error_code unseen;
  throw InputError(
      "", fmt::format(
              "{}: {}", folder.string(),
              fs::exists(folder / kListFile, unseen)
                  ? "it has no checkpoint. A deck with \"output\": {\"checkpoint\": {\"every\": ...}} "
                    "writes them; without one run the deck again."
                  : "no results of Scree: it has no scree_files.txt. Expected the results folder of a run, "
                    "or for scree check a deck."));
}

std::string describe_folder(const fs::path& folder) {
  constexpr int kLooks = 3;  // all files of a look may be gone when they are read
  for (int look = 0; look < kLooks; ++look) {
    std::string text, faults;
    bool is_readable = false;
    for (const NumberedPath& file : files_in(folder)) {
      const std::string name = file.path.filename().string();
      try {
        const Head head = read_head(file.path);
        for (int rank = 0; rank < head.ranks; ++rank) (void)read(file.path, rank, head.ranks);
        text += fmt::format("  {}: t = {:.6g} s, step {}, {}, Scree {}, deck {}{}\n", name, head.time,
                            head.step, counted(head.ranks, "rank", "ranks"), head.program, head.deck_file,
                            head.at_end ? "; end of the run" : "");
        is_readable = true;
      } catch (const UnreadableFile& error) {
        std::error_code unseen;
        if (!fs::exists(file.path, unseen)) continue;  // a run that is under way has removed it
        text += fmt::format("  {}: cannot be read ({})\n", name, error.what());
        faults += std::string(" ") + error.what();
      }
    }
    if (is_readable) return text;
    if (!faults.empty())
      throw InputError("",
                       fmt::format("{}: none of its checkpoints can be read:{}", folder.string(), faults));
  }
  refuse_without_checkpoint(folder);
}

}  // namespace scree::checkpoint
