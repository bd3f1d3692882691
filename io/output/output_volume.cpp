#include "io/output/output_volume.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <system_error>
#include <tuple>

#include "core/infinity.hpp"
#include "io/output/number_format.hpp"
#include "io/output/tessellation.hpp"

namespace scree {
namespace {

// Sizes of VTK files as measured with boxes, spheres, capsules and superquadrics in random places (1, 20 and
// 1000 of each): within 5 % of what follows. On a lattice, at rest, they are 0.48 times as large.
constexpr double kPointBytes = 12;  // of each coordinate triple, of points and of normals: little compressed
constexpr double kDoublePointBytes = 24;  // of a point in double precision
constexpr double kTriangleBytes = 3.5;    // of the data of a triangle, which are those of its body
constexpr double kBodyBytes = 20;         // of what differs between bodies: velocities, forces
constexpr double kBodiesHead = 4600, kContactsHead = 4000, kBoundariesFile = 2900, kJoinFile = 1000;
constexpr double kWallTriangle = 40;  // with its share of the points: about, at the most
constexpr double kSeriesEntry = 70;
constexpr double kLeastPart = 0.4;
constexpr double kContactsPerBody = 4;  // of a packing; spheres have about 3, polyhedra more
constexpr double kContactVtk = 110, kContactRow = 250;
constexpr double kBlock = 4096;     // of a disk: files take whole ones
constexpr double kReport = 20480;   // with some room for the list of files; whole blocks
constexpr double kStateRow = 180;   // of a final state
constexpr double kColumn = 14;      // of a history
constexpr double kLeastColumn = 2;  // "0,"

/// Accepted steps until `end` [s].
double steps_until(double end, double step) {
  return step > 0 ? end / step : std::numeric_limits<double>::infinity();
}

/// States that are written: the first at 0, at each due time the first step at or behind it, and the last.
void count_states(const Model& model, OutputPart& part) {
  const TimeDescription& time = model.time;
  // Earlier ends: stop criterion, and removal of the last body, after which time jumps.
  const bool may_empty = !model.outlets.empty() || model.bodies.empty();
  const double certain = may_empty ? 0 : time.stop.wanted ? std::min(time.stop.after, time.end) : time.end;
  const double longest = time.adaptive ? time.max : time.step;
  const double shortest = time.adaptive ? time.min : time.step;
  // Round-off: 1 s in steps, or periods, of 0.1 s is 10 of them.
  const auto whole = [](double steps) { return std::ceil(steps * (1 - 1e-12)); };
  const auto dues = [&part](double end) {
    return part.every > 0 ? std::floor(end / part.every * (1 + 1e-12)) + 1
                          : std::numeric_limits<double>::infinity();
  };
  const double last = part.every > 0 && whole(time.end / part.every) + 1 > dues(time.end) ? 1 : 0;
  part.least =
      std::min(dues(certain) + (certain == time.end ? last : 0), whole(steps_until(certain, longest)) + 1);
  part.most =
      std::max(part.least, std::min(dues(time.end) + last, whole(steps_until(time.end, shortest)) + 1));
  part.too_often = part.every > 0 && part.every < shortest;
}

struct SurfaceSize {
  double points = 0, triangles = 0;
  bool round = false;
};

/// Sizes of surfaces. Those of round shapes depend on their kind alone: bodies of a file may have a shape
/// each.
class SurfaceSizes {
 public:
  explicit SurfaceSizes(BodyId bodies) : refinement_(refinement_for(bodies)) {}

  const SurfaceSize& of(const Shape& shape) {
    const bool ellipsoid =
        shape.kind == ShapeKind::superquadric && shape.superquadric.n1() == 2 && shape.superquadric.n2() == 2;
    const auto [it, is_new] = known_.try_emplace(
        std::tuple(shape.kind, ellipsoid, shape.kind == ShapeKind::polyhedron ? &shape : nullptr));
    if (is_new) {
      const SurfaceMesh mesh = tessellate(shape, refinement_);
      it->second = {static_cast<double>(mesh.points.size()), static_cast<double>(mesh.triangles.size()),
                    !mesh.normals.empty()};
    }
    return it->second;
  }

 private:
  int refinement_;
  std::map<std::tuple<ShapeKind, bool, const Shape*>, SurfaceSize> known_;
};

/// @returns how many bodies enter in the course of the run.
double bodies_of_inlets(const Model& model) {
  double bodies = 0;
  for (const InletDescription& inlet : model.inlets) {
    // Times do not decrease.
    bodies += static_cast<double>(
        std::upper_bound(inlet.entries.begin(), inlet.entries.end(), model.time.end,
                         [](double end, const InletDescription::Entry& entry) { return end < entry.due; }) -
        inlet.entries.begin());
  }
  return bodies;
}

/// @returns the most bodies that may be there at one time.
double most_bodies(const Model& model) {
  return static_cast<double>(model.body_count()) + bodies_of_inlets(model);
}

/// Whether a body of the deck, or one that enters, makes a frame have points in double precision.
bool has_double_points(const Model& model) {
  const auto is_far = [&model](int shape, const Vec3& pole) {
    return shape >= 0 && needs_double_precision(pole, model.shapes[shape].bounding_radius);
  };
  for (const BodyDescription& body : model.bodies)
    if (is_far(body.shape, body.position)) return true;
  for (const InletDescription& inlet : model.inlets) {
    const Vec3 farthest = inlet.low.cwiseAbs().cwiseMax(inlet.high.cwiseAbs());
    for (const InletDescription::Entry& entry : inlet.entries)
      if (entry.due <= model.time.end && is_far(entry.shape, farthest)) return true;
  }
  return false;
}

struct SurfaceBytes {
  double at_start = 0;  ///< of the bodies of the deck, in single precision
  double most = 0;      ///< with all that enter, in the precision that they need
};

/// Bytes of the surfaces of bodies, without the head of the file.
SurfaceBytes surface_bytes(const Model& model) {
  SurfaceSizes sizes(bodies_of_deck_and_inlets(model));
  const bool round = std::all_of(model.shapes.begin(), model.shapes.end(),
                                 [&](const Shape& shape) { return sizes.of(shape).round; });
  const auto of_body = [&](int shape, double point_bytes) {
    const SurfaceSize& size = sizes.of(model.shapes[shape]);
    return (point_bytes + (round ? kPointBytes : 0)) * size.points + kTriangleBytes * size.triangles +
           kBodyBytes;
  };
  const double needed_bytes = has_double_points(model) ? kDoublePointBytes : kPointBytes;
  SurfaceBytes bytes;
  for (const BodyDescription& body : model.bodies) {
    if (body.shape < 0) continue;
    bytes.at_start += of_body(body.shape, kPointBytes);
    bytes.most += of_body(body.shape, needed_bytes);
  }
  for (const InletDescription& inlet : model.inlets)
    for (const InletDescription::Entry& entry : inlet.entries)
      if (entry.due <= model.time.end) bytes.most += of_body(entry.shape, needed_bytes);
  return bytes;
}

/// @returns triangles of a frame that show meshes and spheres among the boundaries.
double wall_triangles(const Model& model) {
  constexpr double kOfSphere = 1280;  // boundary_walls; a capsule has about as many
  double triangles = 0;
  for (const BoundaryPart& part : model.boundary_parts) {
    if (part.wall < 0) continue;
    const Shape& wall = model.walls[part.wall];
    if (wall.kind == ShapeKind::polyhedron) {
      triangles += static_cast<double>(wall.triangles.size());
    } else if (wall.kind != ShapeKind::bore && wall.kind != ShapeKind::cylinder) {
      triangles += kOfSphere;
    }
  }
  return triangles;
}

OutputPart vtk_part(const Model& model, int ranks) {
  OutputPart part{.name = "vtk", .where = "/output/vtk/every", .every = model.output.vtk_every};
  count_states(model, part);
  const double boundaries = model.boundary_parts.empty() ? 0 : 1;
  part.files_per_state = 2.0 * ranks + 2 + boundaries;
  const double heads =
      ranks * (kBodiesHead + kContactsHead) + 2 * kJoinFile + boundaries * kBoundariesFile + 3 * kSeriesEntry;
  const SurfaceBytes bodies = surface_bytes(model);
  part.fixed_per_state = heads + kWallTriangle * wall_triangles(model);
  part.bytes_per_state =
      part.fixed_per_state + bodies.most + kContactsPerBody * kContactVtk * most_bodies(model);
  // What enters may find no room, or be due at the end alone. A regular mesh of a boundary may compress to
  // very little.
  part.least_per_state = kLeastPart * (heads + (model.outlets.empty() ? bodies.at_start : 0));
  return part;
}

OutputPart contacts_part(const Model& model) {
  OutputPart part{
      .name = "contacts", .where = "/output/contacts/every", .every = model.output.contacts_every};
  count_states(model, part);
  part.files_per_state = 1;
  part.fixed_per_state = 100;
  part.bytes_per_state = part.fixed_per_state + kContactsPerBody * kContactRow * most_bodies(model);
  part.least_per_state = 90;  // a header, and a row of the index
  return part;
}

OutputPart history_part(const Model& model, std::size_t h) {
  const HistoryDescription& history = model.output.histories[h];
  OutputPart part{.name = fmt::format("history {}", history.file),
                  .where = fmt::format("/output/histories/{}/every", h),
                  .every = history.every};
  count_states(model, part);
  const auto columns = static_cast<double>(history.columns.size());
  part.bytes_per_state = part.fixed_per_state = kColumn * columns;
  part.least_per_state = model.outlets.empty() ? kLeastColumn * columns : 0;
  return part;
}

/// Files that are there at a time: one is written beside those that are kept, or saved when the run fails.
double checkpoints_at_a_time(const Model& model) {
  const CheckpointDescription& checkpoint = model.output.checkpoint;
  if (!checkpoint.wanted) return 0;
  OutputPart part;
  part.every = checkpoint.every;
  count_states(model, part);
  // None is written at the start, and without "every" the last one alone.
  const double written = checkpoint.wall_clock > 0 ? kInfinity : part.every < 0 ? 1 : part.most - 1;
  return std::min<double>(checkpoint.keep, written) + 1;
}

std::string range_text(double least, double most, const std::function<std::string(double)>& text) {
  const std::string low = text(least), high = text(most);
  return low == high ? low : fmt::format("{} to {}", low, high);
}

std::string count_text(double number) {
  return number < 1e6 ? fmt::format("{:.0f}", number) : fmt::format("{:.2g}", number);
}

/// Whether a part is written at each accepted step of a run whose number of steps is not known beforehand.
bool is_of_each_step(const OutputPart& part) { return part.every == 0 && part.most > part.least; }

/// @returns the total of a run whose volume_text gives only the lower one; "" if that gives both.
std::string upper_total_text(const OutputVolume& volume) {
  if (std::none_of(volume.parts.begin(), volume.parts.end(), is_of_each_step)) return "";
  double bytes = volume.once_most, steps = 0;
  for (const OutputPart& part : volume.parts) {
    bytes += part.most * part.bytes_per_state;
    if (is_of_each_step(part)) steps = part.most - 1;  // the first state is that before them
  }
  return fmt::format("; at most about {}, if all {} steps to the end have the smallest size, {:g} s",
                     bytes_text(bytes), count_text(steps), volume.smallest_step);
}

}  // namespace

BodyId bodies_of_deck_and_inlets(const Model& model) {
  BodyId bodies = model.body_count();
  for (const InletDescription& inlet : model.inlets) bodies += std::ssize(inlet.entries);
  return bodies;
}

bool needs_double_precision(const Vec3& pole, double bounding_radius) {
  constexpr double kFarthest = 1e4;  // radii: there single precision moves points by 6e-4 of the radius
  return pole.cwiseAbs().maxCoeff() > kFarthest * bounding_radius;
}

double last_state_bytes(BodyId bodies) {
  return kReport + kBlock * std::ceil(kStateRow * static_cast<double>(bodies) / kBlock);
}

double checkpoint_bytes(BodyId bodies) {
  constexpr double kOfBody = 3000, kHead = 250e3;
  return kHead + kOfBody * static_cast<double>(bodies);
}

OutputVolume output_volume(const Model& model, int ranks) {
  OutputVolume volume;
  if (model.output.vtk_every >= 0) volume.parts.push_back(vtk_part(model, ranks));
  if (model.output.contacts_every >= 0) volume.parts.push_back(contacts_part(model));
  for (std::size_t h = 0; h < model.output.histories.size(); ++h)
    volume.parts.push_back(history_part(model, h));
  volume.bodies = static_cast<BodyId>(most_bodies(model));
  const double checkpoints = checkpoints_at_a_time(model);
  volume.checkpoints = checkpoints * checkpoint_bytes(volume.bodies);
  volume.once = last_state_bytes(model.body_count()) + checkpoints * checkpoint_bytes(model.body_count());
  volume.once_most = last_state_bytes(volume.bodies) + volume.checkpoints;
  volume.smallest_step = model.time.adaptive ? model.time.min : model.time.step;
  return volume;
}

StateBytes most_bytes_of_state(const OutputVolume& volume) {
  constexpr double kLargest = 1.5;
  StateBytes bytes;
  for (const OutputPart& part : volume.parts) {
    bytes.fixed += kLargest * part.fixed_per_state;
    if (volume.bodies > 0)
      bytes.per_body +=
          kLargest * (part.bytes_per_state - part.fixed_per_state) / static_cast<double>(volume.bodies);
  }
  return bytes;
}

double frame_memory(const Model& model, int ranks) {
  if (model.output.vtk_every < 0) return 0;
  // A triangle of a frame has its corners, and the data of its body: measured.
  constexpr double kFrameTriangle = 100;
  SurfaceSizes sizes(bodies_of_deck_and_inlets(model));
  double meshes = 0, triangles = 0;
  for (const Shape& shape : model.shapes) {
    const SurfaceSize& size = sizes.of(shape);
    meshes += (size.round ? 2 : 1) * sizeof(Vec3) * size.points +
              sizeof(SurfaceMesh::triangles[0]) * size.triangles;
  }
  for (const BodyDescription& body : model.bodies)
    if (body.shape >= 0) triangles += sizes.of(model.shapes[body.shape]).triangles;
  return meshes + kFrameTriangle * triangles / ranks;
}

DiskRoom room_at(const std::string& folder) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  std::error_code error;
  std::filesystem::path existing = std::filesystem::absolute(folder, error).lexically_normal();
  while (!std::filesystem::exists(existing, error) && existing.has_relative_path())
    existing = existing.parent_path();
  struct statvfs disk = {};
  if (::statvfs(existing.c_str(), &disk) != 0 || disk.f_blocks == 0) return {kUnknown, kUnknown};
  return {static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize),
          disk.f_files == 0 ? kUnknown : static_cast<double>(disk.f_favail)};
}

bool is_room_checked(const OutputDescription& output, const AcceptedState& state) {
  constexpr long kSteps = 100;
  // Sampling without its memory: each state that is due, and after round-off the one behind it, too.
  const auto due = [&state](double every) {
    if (every <= 0) return every == 0;
    constexpr double kSlack = 1e-4;  // of a step
    return std::floor((state.time + kSlack * state.step) / every) >
           std::floor((state.time - state.step) / every);
  };
  return state.step_number % kSteps == 0 || due(output.vtk_every) || due(output.contacts_every) ||
         (output.checkpoint.wanted && due(output.checkpoint.every));
}

std::string volume_text(const OutputVolume& volume, const DiskRoom& room) {
  std::string text;
  double least = volume.once, most = volume.once_most, histories = 0;
  bool open = false;  // how often a part is written is known by the run alone
  for (const OutputPart& part : volume.parts) {
    const bool unknown = is_of_each_step(part);
    open = open || unknown;
    least += part.least * part.bytes_per_state;
    most += part.most * part.bytes_per_state;
    if (part.files_per_state == 0) {
      ++histories;
      continue;
    }
    const std::string states =
        unknown ? fmt::format("one state per accepted step (at least {})", count_text(part.least))
                : range_text(part.least, part.most, count_text) + " states";
    const std::string files = unknown ? fmt::format("{:.0f} {} each", part.files_per_state,
                                                    part.files_per_state == 1 ? "file" : "files")
                                      : range_text(part.least * part.files_per_state,
                                                   part.most * part.files_per_state, count_text) +
                                            " files";
    text += fmt::format("{}{} {}, {}, about {} per state", text.empty() ? "" : "; ", part.name, states, files,
                        bytes_text(part.bytes_per_state));
  }
  if (histories > 0)
    text += fmt::format("{}{}", text.empty() ? "" : "; ",
                        counted(static_cast<long>(histories), "history", "histories"));
  if (text.empty()) return "";
  text += "; total about ";
  text += open ? bytes_text(least) + " or more" : range_text(least, most, bytes_text);
  if (std::isfinite(room.bytes)) text += fmt::format(", {} free", bytes_text(room.bytes));
  return text;
}

void judge_volume(const OutputVolume& volume, const DiskRoom& room, std::vector<Diagnostic>& errors,
                  std::vector<Diagnostic>& warnings) {
  double least = volume.once, likely = volume.once_most, most = volume.once_most, files = 0;
  const OutputPart* largest = nullptr;
  const auto demand = [](const OutputPart& p) {
    return (p.every > 0 ? p.most : p.least) * p.bytes_per_state;
  };
  for (const OutputPart& part : volume.parts) {
    // An interval below the smallest step: every accepted state is written.
    const double states = part.too_often ? part.most : part.least;
    least += states * part.least_per_state;
    files += states * part.files_per_state;
    likely += part.least * part.bytes_per_state;
    most += (part.every > 0 ? part.most : part.least) * part.bytes_per_state;
    if (largest == nullptr || demand(part) > demand(*largest)) largest = &part;
  }
  const bool too_many_files = least <= room.bytes && files > room.files;  // whose number is that of the parts
  if (largest != nullptr && !too_many_files && demand(*largest) < volume.checkpoints) largest = nullptr;
  const bool by_checkpoints = largest == nullptr && volume.checkpoints > 0.5 * volume.once_most;
  const std::string where = largest != nullptr ? largest->where
                            : by_checkpoints   ? "/output/checkpoint"
                                               : "/output/directory";
  const std::string often =
      largest != nullptr && largest->too_often
          ? fmt::format(" \"every\" {:g} s is below the smallest step, {:g} s; 0 writes every accepted step.",
                        largest->every, volume.smallest_step)
          : "";
  const std::string remedy = fmt::format(" Use {}a disk with more space (--output DIR).",
                                         largest != nullptr ? "a larger \"every\", or "
                                         : by_checkpoints   ? "fewer checkpoints (\"keep\"), or "
                                                            : "");
  std::string text = volume_text(volume, room);
  if (text.empty()) text = bytes_text(room.bytes) + " free";
  if (least > room.bytes) {
    errors.push_back({where, fmt::format("output does not fit on the disk: {}; required: at least {}.{}{}",
                                         text, bytes_text(least), often, remedy)});
  } else if (too_many_files) {
    errors.push_back(
        {where, fmt::format("output does not fit on the disk: {} files, but the disk has space for {}.{}{}",
                            count_text(files), count_text(room.files), often, remedy)});
  } else if (most > room.bytes || likely > 0.5 * room.bytes) {
    warnings.push_back({where, fmt::format("output may fill the disk: {}{}.{}{}", text,
                                           upper_total_text(volume), often, remedy)});
  }
}

}  // namespace scree
