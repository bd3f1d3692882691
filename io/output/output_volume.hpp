/// How much a run writes, before it does, and how much room there is.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "solvers/model.hpp"

namespace scree {

/// One kind of output: a series of files, or a table that grows.
struct OutputPart {
  std::string name;            ///< for messages
  std::string where;           ///< JSON pointer
  double every = 0;            ///< [s]; 0: each accepted step
  double least = 0, most = 0;  ///< states that are written; at most one per accepted step
  double files_per_state = 0;  ///< of one rank's run and more for each further rank
  double bytes_per_state = 0;  ///< about; compressed files take 0.4 to 1.1 times as much
  double least_per_state = 0;  ///< bytes that it takes at least
  bool too_often = false;      ///< `every` is below the smallest step of the deck
};

struct OutputVolume {
  std::vector<OutputPart> parts;
  double once = 0;           ///< bytes of the final state, or of the last one, and of checkpoints
  double checkpoints = 0;    ///< bytes of these: of as many as are there at a time
  double smallest_step = 0;  ///< [s]
};

/// Room for new files on a disk.
struct DiskRoom {
  double bytes = 0;
  double files = 0;
};

/// @returns bytes of a state that a run saves at its end, and of its report: about, rather more, in whole
/// blocks of a disk. Without bodies: of the report alone.
double last_state_bytes(BodyId bodies);

/// @returns bytes of a checkpoint, about. Measured, see docs/reference/checkpoint.md.
double checkpoint_bytes(BodyId bodies);

/// @returns what a run writes on `ranks` ranks. The number of accepted steps of an adaptive run lies between
/// what its largest and its smallest step make of the time; what may end a run earlier counts for the least.
/// Bytes: measured, see docs/running.md.
OutputVolume output_volume(const Model& model, int ranks);

/// @returns room on the disk of a folder, or of the nearest one above it that exists; infinite where the
/// system does not say.
DiskRoom room_at(const std::string& folder);

/// @returns the volume in words: states, files, bytes, and the room.
std::string volume_text(const OutputVolume& volume, const DiskRoom& room);

/// What is wrong with a volume: more than there is room for at the least, or at the smallest step where
/// "every" is below it (0 would be each accepted step). @param errors, warnings get what is found: errors
/// refuse the run, warnings are of volumes that may not fit, or take more than half of the room.
void judge_volume(const OutputVolume& volume, const DiskRoom& room, std::vector<Diagnostic>& errors,
                  std::vector<Diagnostic>& warnings);

}  // namespace scree
