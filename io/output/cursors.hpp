/// Where the outputs of a run stand: what a checkpoint keeps of them, so that a run that is continued writes
/// nothing twice and leaves nothing out.
#pragma once

#include <map>
#include <string>

#include "core/archive.hpp"
#include "core/types.hpp"

namespace scree {

/// Of one file that grows, or of a series of files.
struct OutputCursor {
  double next = 0;      ///< next due time [s]
  long last_step = -1;  ///< step of the last state that was written
  long files = 0;       ///< of the series so far
  long bytes = -1;      ///< of the file that grows; -1: no file yet

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("next", self.next, "s");
    archive("last_step", self.last_step, "");
    archive("files", self.files, "");
    archive("bytes", self.bytes, "");
  }
};

struct OutputCursors {
  std::map<std::string, OutputCursor> series;    ///< by file, or by kind of files
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< of the bodies in all frames so far [m]

  /// @returns where one stands; at its start if it is not there.
  [[nodiscard]] OutputCursor of(const std::string& name) const {
    const auto found = series.find(name);
    return found == series.end() ? OutputCursor() : found->second;
  }

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("series", self.series, "");
    archive("low", self.low, "m");
    archive("high", self.high, "m");
  }
};

/// Names of the series that are no single file; no file has such a name.
inline constexpr const char* kFrames = "vtk/";
inline constexpr const char* kContactFiles = "contacts/";
inline constexpr const char* kCheckpoints = "checkpoint/";

/// An output that can be continued.
class ContinuedOutput {
 public:
  ContinuedOutput() = default;
  ContinuedOutput(const ContinuedOutput&) = delete;
  ContinuedOutput& operator=(const ContinuedOutput&) = delete;
  ContinuedOutput(ContinuedOutput&&) = delete;
  ContinuedOutput& operator=(ContinuedOutput&&) = delete;
  virtual ~ContinuedOutput() = default;
  /// Adds where it stands, without what was written only because the run ended. Not collective.
  virtual void add_cursors(OutputCursors& cursors) const = 0;
  /// Continues from there, before the first state: cuts off what was written later. Collective.
  /// @throws RunError on all ranks (file and reason).
  virtual void continue_from(const OutputCursors& cursors) = 0;
};

}  // namespace scree
