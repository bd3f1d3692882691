/// Pictures of sampled states for ParaView: bodies, boundaries and contacts in the folder vtk/, series beside
/// it.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/shapes/shape.hpp"
#include "io/output/checked_file.hpp"
#include "io/output/cursors.hpp"
#include "io/output/number_format.hpp"
#include "io/output/results_folder.hpp"
#include "io/output/sampling.hpp"
#include "io/output/tessellation.hpp"
#include "solvers/model.hpp"
#include "solvers/observer.hpp"

class vtkPolyData;

namespace scree {

/// Per sampled state, numbered from 000000, each rank writes `vtk/bodies_000000_R.vtp` and
/// `vtk/contacts_000000_R.vtp` (R its number) and rank 0 the .pvtp that joins them; rank 0 also writes
/// `vtk/boundaries_000000.vtp`. The series bodies.pvd, contacts.pvd and boundaries.pvd name only files that
/// are complete, at any time.
///
/// Bodies: their surface, in single precision, or in double precision if a body needs it
/// (needs_double_precision). Cells carry body, shape (ShapeFamilies, whose names are field data), rank [-],
/// volume of the shape [m^3], velocity, speed [m/s], angular_velocity [rad/s], contact_force (its sum over
/// the body) and contact_force_magnitude [N]. Contacts: points with normal, normal_force and friction
/// (vectors, on body_a) and normal_force_magnitude [N], gap [m], weight [-], body_a, body_b (as
/// ContactRecord). Boundaries: the active walls, cut where the bodies have been; cells carry boundary.
class VtkWriter : public Observer, public ContinuedOutput {
 public:
  /// @param model must outlive the writer.
  /// @param results must outlive the writer.
  VtkWriter(const Model& model, MPI_Comm comm, ResultsFolder& results);

  /// Writes a frame if one is due. A frame that is not complete leaves no file and no entry of a series, and
  /// is still due.
  /// @throws RunError on all ranks if a file cannot be written. @throws Interrupted on all ranks. Collective.
  void accepted(const AcceptedState& state) override;
  void add_cursors(OutputCursors& cursors) const override;
  void continue_from(const OutputCursors& cursors) override;

 private:
  /// Where the output stood before a frame.
  struct Before {
    Sampling sampling;
    Eigen::AlignedBox3d extent;
    std::map<std::string, long> sizes;  ///< of the series [bytes]
  };

  void write_frame(const AcceptedState& state);
  /// Removes what was written of a frame; it is due again.
  void take_back(const Before& before);
  /// @returns the name of the files of this frame in a series, without its ending.
  [[nodiscard]] std::string frame_of(const std::string& name) const;
  void write(const std::string& path, const std::string& content);
  void write_pieces(const std::string& name, vtkPolyData& piece, double time);
  void write_boundaries(const AcceptedState& state);
  void add_to_series(const std::string& name, double time, const std::string& file);
  void grow_extent(const Bodies& bodies);
  void keep();

  const Model& model_;
  MPI_Comm comm_;
  ResultsFolder& results_;
  int rank_ = 0, ranks_ = 1;
  Sampling sampling_;
  ShapeFamilies families_;
  std::vector<SurfaceMesh> meshes_;  ///< by shape
  Eigen::AlignedBox3d extent_;       ///< of the bodies of all ranks, in all frames so far [m]
  long frames_ = 0;
  std::map<std::string, std::unique_ptr<EnclosedFile>> series_;  ///< by name; rank 0 only
  std::vector<std::string> written_;                             ///< paths of this frame, by this rank
  OutputCursors kept_;
};

}  // namespace scree
