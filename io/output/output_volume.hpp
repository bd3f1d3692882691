/// How much a run writes, before it does, and how much room there is.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// One kind of output: a series of files, or a table that grows.
struct OutputPart {
  std::string name;            ///< for messages
  std::string where;           ///< JSON pointer
  double every = 0;            ///< [s]; 0: each accepted step
  double least = 0, most = 0;  ///< states that are written; at most one per accepted step
  double files_per_state = 0;  ///< of one rank's run and more for each further rank
  double bytes_per_state = 0;  ///< about, with all bodies; compressed files take 0.4 to 1.1 times as much
  double fixed_per_state = 0;  ///< bytes of these that do not grow with the number of bodies
  double least_per_state = 0;  ///< bytes that it takes at least
  bool too_often = false;      ///< `every` is below the smallest step of the deck
};

struct OutputVolume {
  std::vector<OutputPart> parts;
  BodyId bodies = 0;       ///< of the deck, and that inlets may insert until its end
  double once = 0;         ///< bytes of the final state, or of the last one, and of checkpoints: of the deck
  double once_most = 0;    ///< the same with all `bodies`
  double checkpoints = 0;  ///< bytes of checkpoints in this: of as many as are there at a time
  double smallest_step = 0;  ///< [s]
};

/// Bytes of all output that may be due at one state.
struct StateBytes {
  double fixed = 0;
  double per_body = 0;
  [[nodiscard]] double of(BodyId bodies) const { return fixed + per_body * static_cast<double>(bodies); }
};

/// Room for new files on a disk.
struct DiskRoom {
  double bytes = 0;
  double files = 0;
};

/// @returns how many bodies the deck and its inlets have, by which the detail of drawn surfaces is chosen.
BodyId bodies_of_deck_and_inlets(const Model& model);

/// Whether the surface of a body needs points in double precision: single precision moves them by 6e-8 of
/// their distance from the origin.
bool needs_double_precision(const Vec3& pole, double bounding_radius);

/// @returns bytes of a state that a run saves at its end, and of its report: about, rather more, in whole
/// blocks of a disk. Without bodies: of the report alone.
double last_state_bytes(BodyId bodies);

/// @returns bytes of a checkpoint, about. Measured, see docs/reference/checkpoint.md.
double checkpoint_bytes(BodyId bodies);

/// @returns what a run writes on `ranks` ranks. The number of accepted steps of an adaptive run lies between
/// what its largest and its smallest step make of the time; what may end a run earlier counts for the least.
/// Bytes: measured, see docs/reference/output.md.
OutputVolume output_volume(const Model& model, int ranks);

/// @returns bytes of all output at one state at the most: files are estimated, and take whole blocks of a
/// disk.
StateBytes most_bytes_of_state(const OutputVolume& volume);

/// @returns bytes of memory that VTK output takes on each rank at least, beside the bodies: a mesh per shape,
/// and a frame.
double frame_memory(const Model& model, int ranks);

/// @returns room on the disk of a folder, or of the nearest one above it that exists; infinite where the
/// system does not say.
DiskRoom room_at(const std::string& folder);

/// Whether a run checks the room on its disk before the output of a state: where files may be due, and each
/// hundredth step because of rows of histories and of what other programs write. A system may take
/// milliseconds to answer, more than a step.
bool is_room_checked(const OutputDescription& output, const AcceptedState& state);

/// @returns the volume in words: states, files, bytes, and the room.
std::string volume_text(const OutputVolume& volume, const DiskRoom& room);

/// What is wrong with a volume: more than there is room for at the least, or at the smallest step where
/// "every" is below it (0 would be each accepted step). @param errors, warnings get what is found: errors
/// refuse the run, warnings are of volumes that may not fit, or take more than half of the room.
void judge_volume(const OutputVolume& volume, const DiskRoom& room, std::vector<Diagnostic>& errors,
                  std::vector<Diagnostic>& warnings);

}  // namespace scree
