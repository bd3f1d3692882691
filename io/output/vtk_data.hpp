/// States as VTK data sets. Only io/vtk_*.cpp and tests include this.
#pragma once

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <string>
#include <vector>

#include "io/output/number_format.hpp"
#include "io/output/tessellation.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// @returns the surfaces of this rank's own bodies with the cell data of VtkWriter, and the names of the
/// families as field data "shape_names". @param meshes by shape. @param families of the shapes of the model.
/// @param in_double whether points are in double precision; the same on all ranks, whose pieces are joined.
vtkSmartPointer<vtkPolyData> body_surfaces(const AcceptedState& state, const std::vector<SurfaceMesh>& meshes,
                                           const ShapeFamilies& families, int rank, bool in_double);

/// @returns contacts as points with the point data of VtkWriter.
vtkSmartPointer<vtkPolyData> contact_points(const std::vector<ContactRecord>& contacts);

/// @returns the walls that are active at `time`, cut by each other and where `extent`, widened so that it
/// reaches the walls, ends. @param extent of the bodies [m], not empty. @param bodies of the state at that
/// time, which has the walls that do not move; null: they are where the deck has them.
vtkSmartPointer<vtkPolyData> boundary_walls(const Model& model, double time,
                                            const Eigen::AlignedBox3d& extent,
                                            const Surfaces* surfaces = nullptr,
                                            const Bodies* bodies = nullptr);

/// @returns the content of a .vtp file (compressed, appended) that holds `data` and its time.
std::string vtp_content(vtkPolyData& data, double time);

/// @returns the content of a .pvtp file that joins pieces with the arrays of `data`.
std::string pvtp_content(vtkPolyData& data, const std::vector<std::string>& pieces);

}  // namespace scree
