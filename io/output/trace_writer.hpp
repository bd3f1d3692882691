/// Every accepted state in a compact binary file per rank, for the independent intersection test
/// (verification/intersection) and for comparisons bit by bit. Not for users: SCREE_TRACE=FILE switches it
/// on.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "io/output/checked_file.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// @returns the name that SCREE_TRACE gives, "" without it.
std::string trace_name();

/// @returns why rank `rank` cannot write the trace `name`, "" if it can: a file that is there and is no trace
/// is not replaced.
std::string trace_fault(const std::string& name, int rank);

/// Layout, numbers of 8 bytes in the machine's order (d: double, i: int64):
///   "SCREETR2"; i ranks, i rank
///   i shapes; each: i kind (0 sphere, 1 capsule, 2 polyhedron), i convex, d rounding radius [m],
///     i vertices and 3 d each [m]; i faces; each: i n and n vertex numbers
///   i bodies of all ranks at the start, i shape of each by id (-1: no such body)
///   i walls; each: a shape as above (kinds also 3 plane, 4 cylinder from outside, 5 cylinder from inside,
///     6 sphere from inside, of these the radius is that of the wall; normals and axes are the local z axis;
///     7 open surface), d active from, d active until [s]
///   then, per accepted state: d time [s], i bodies of this rank;
///     each: i id, 3 d pole [m], 4 d orientation w x y z, 3 d velocity [m/s], 3 d angular velocity [rad/s];
///     and of each wall: 3 d pole, 4 d orientation, as contact sees them
class TraceWriter final : public Observer {
 public:
  /// Rank r writes `file`.r, from the first state on.
  TraceWriter(std::string file, MPI_Comm comm);
  /// @returns a writer if the environment has SCREE_TRACE, else null. Collective.
  static std::unique_ptr<TraceWriter> from_environment(MPI_Comm comm);

  /// Replaces the trace of an earlier run. @throws RunError on all ranks if one of them could not write.
  /// Collective.
  void accepted(const AcceptedState& state) override;

 private:
  void open();
  void write_geometry(const AcceptedState& state);

  std::string name_;
  MPI_Comm comm_;
  std::unique_ptr<GrowingFile> file_;
};

}  // namespace scree
