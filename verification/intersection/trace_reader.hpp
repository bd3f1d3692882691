/// Reads the traces that SCREE_TRACE=FILE makes the program write (layout: io/output/trace_writer.hpp).
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "geometry.hpp"

namespace intersection {

struct State {
  double time = 0;
  std::vector<Pose> poses;                  ///< of all bodies, by id
  std::vector<Eigen::Vector3d> velocities;  ///< of the poles of the bodies [m/s]
  std::vector<Pose> walls;
};

class TraceReader {
 public:
  /// Opens FILE.0 and those of the other ranks. @throws std::runtime_error naming the file that is wrong.
  explicit TraceReader(const std::string& file);
  /// Without a file, for tests.
  TraceReader() = default;
  /// @returns false at the end. A truncated last record (a run that was killed) counts as the end.
  /// @throws std::runtime_error if ranks disagree, a body is missing or duplicate, or a pose is not finite.
  bool next(State& state);

  std::vector<Solid> solids;
  std::vector<std::int64_t> solid_of;  ///< of each body
  std::vector<Wall> walls;

 private:
  struct Part {
    std::string name;
    std::ifstream in;
  };
  void read_geometry(Part& part);

  std::vector<Part> parts_;
  std::vector<char> seen_;
};

}  // namespace intersection
