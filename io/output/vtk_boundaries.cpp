/// Boundaries as a data set: their positions at a time; infinite ones as far as the bodies reach.
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>

#include <cmath>
#include <numbers>

#include "io/output/vtk_data.hpp"
#include "solvers/world/boundary_motion.hpp"
#include "solvers/world/surfaces.hpp"

namespace scree {
namespace {

constexpr int kCorners = 64;    // of a circle
constexpr int kRefinement = 3;  // of a sphere

/// A part of a boundary where it is now.
struct PlacedPart {
  const BoundaryPart* part = nullptr;
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  Mat3 R = Mat3::Identity();
};

std::vector<PlacedPart> active_parts(const Model& model, double time, const Bodies* bodies) {
  std::vector<PlacedPart> active;
  for (std::size_t k = 0; k < model.boundary_parts.size(); ++k) {
    const BoundaryPart& part = model.boundary_parts[k];
    const BoundaryDescription& boundary = model.boundaries[part.boundary];
    if (time < boundary.active_from || time >= boundary.active_until) continue;
    const RigidMotion motion = part_motion(model, k, time, bodies);
    active.push_back({&part, motion.place(part.point), motion.rotation * part.normal,
                      part_state(model, k, time, bodies).q.toRotationMatrix()});
  }
  return active;
}

bool endless_plane(const PlacedPart& placed) {
  return placed.part->wall < 0 && placed.part->disc_radius == 0;
}

std::vector<Vec3> circle(const Vec3& centre, const Vec3& axis, double radius) {
  const Vec3 t = axis.unitOrthogonal(), s = axis.cross(t);
  std::vector<Vec3> corners;
  for (int k = 0; k < kCorners; ++k) {
    const double angle = 2 * std::numbers::pi * k / kCorners;
    corners.emplace_back(centre + radius * (std::cos(angle) * t + std::sin(angle) * s));
  }
  return corners;
}

/// Collects polygons with the number of their boundary.
class Polygons {
 public:
  Polygons() {
    points_->SetDataTypeToDouble();
    boundary_->SetName("boundary");
  }

  void add(const std::vector<Vec3>& corners, int boundary) {
    if (corners.size() < 3) return;
    std::vector<vtkIdType> numbers;
    numbers.reserve(corners.size());
    for (const Vec3& p : corners) numbers.push_back(add_point(p));
    cells_->InsertNextCell(static_cast<vtkIdType>(numbers.size()), numbers.data());
    boundary_->InsertNextValue(boundary);
  }

  /// Triangles share the points of their mesh: with corners of their own they would have six times as many.
  void add(const SurfaceMesh& mesh, const PlacedPart& placed) {
    const vtkIdType first = points_->GetNumberOfPoints();
    for (const Vec3& p : mesh.points) add_point(placed.point + placed.R * p);
    for (const auto& [a, b, c] : mesh.triangles) add_triangle(first, a, b, c, placed.part->boundary);
  }

  /// @param x of the vertices of the surface, whose faces are triangles.
  void add(const std::vector<Vec3>& x, const std::vector<Face>& faces, int boundary) {
    const vtkIdType first = points_->GetNumberOfPoints();
    for (const Vec3& p : x) add_point(p);
    for (const Face& face : faces) add_triangle(first, face.loop[0], face.loop[1], face.loop[2], boundary);
  }

  vtkSmartPointer<vtkPolyData> data() {
    auto data = vtkSmartPointer<vtkPolyData>::New();
    data->SetPoints(points_);
    data->SetPolys(cells_);
    data->GetCellData()->AddArray(boundary_);
    return data;
  }

 private:
  vtkIdType add_point(const Vec3& p) { return points_->InsertNextPoint(p.x(), p.y(), p.z()); }
  void add_triangle(vtkIdType first, int a, int b, int c, int boundary) {
    const vtkIdType numbers[] = {first + a, first + b, first + c};
    cells_->InsertNextCell(3, numbers);
    boundary_->InsertNextValue(boundary);
  }

  vtkNew<vtkPoints> points_;
  vtkNew<vtkCellArray> cells_;
  vtkNew<vtkIntArray> boundary_;
};

/// A cylinder between its end planes, or as far as the bodies reach.
void add_tube(Polygons& polygons, const std::vector<PlacedPart>& all, const PlacedPart& tube, double radius,
              const Eigen::AlignedBox3d& reached) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int corner = 0; corner < 8; ++corner) {
    const double s =
        tube.normal.dot(reached.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)) - tube.point);
    low = std::min(low, s);
    high = std::max(high, s);
  }
  for (const PlacedPart& end : all) {
    if (end.part->boundary != tube.part->boundary || end.part->disc_radius == 0) continue;
    const double s = tube.normal.dot(end.point - tube.point);
    (s < 0 ? low : high) = s;
  }
  const auto first = circle(tube.point + low * tube.normal, tube.normal, radius);
  const auto last = circle(tube.point + high * tube.normal, tube.normal, radius);
  for (int k = 0; k < kCorners; ++k) {
    const int next = (k + 1) % kCorners;
    polygons.add({first[k], first[next], last[next], last[k]}, tube.part->boundary);
  }
}

}  // namespace

vtkSmartPointer<vtkPolyData> boundary_walls(const Model& model, double time,
                                            const Eigen::AlignedBox3d& extent, const Surfaces* surfaces,
                                            const Bodies* bodies) {
  // A floor below falling bodies is outside their extent: it is drawn under them, so the extent reaches down
  // to it.
  Eigen::AlignedBox3d reached = extent;
  const std::vector<PlacedPart> active = active_parts(model, time, bodies);
  for (const auto& placed : active) {
    if (!endless_plane(placed)) continue;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p = extent.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner));
      reached.extend(p - (p - placed.point).dot(placed.normal) * placed.normal);
    }
  }
  const double margin = 0.02 * reached.diagonal().norm();
  std::vector<HalfSpace> around;
  for (int axis = 0; axis < 3; ++axis) {
    around.push_back({reached.min() - Vec3::Constant(margin), Vec3::Unit(axis)});
    around.push_back({reached.max() + Vec3::Constant(margin), -Vec3::Unit(axis)});
  }
  Polygons polygons;
  for (const PlacedPart& placed : active) {
    const BoundaryPart& part = *placed.part;
    if (surfaces != nullptr && model.boundaries[part.boundary].motion.coupled) {
      const std::vector<Vec3>& x = surfaces->state(static_cast<int>(&part - model.boundary_parts.data())).x;
      polygons.add(x, model.walls[part.wall].faces, part.boundary);
    } else if (part.disc_radius > 0) {
      polygons.add(circle(placed.point, placed.normal, part.disc_radius), part.boundary);
    } else if (part.wall < 0) {
      std::vector<HalfSpace> region = around;
      for (const PlacedPart& other : active) {
        // No body is behind any of them.
        if (&other != &placed && endless_plane(other)) region.push_back({other.point, other.normal});
      }
      const Vec3 centre = reached.center();
      const Vec3 foot = centre - (centre - placed.point).dot(placed.normal) * placed.normal;
      const double size = 2 * reached.diagonal().norm() + 2 * margin;
      polygons.add(clip_plane(foot, placed.normal, size, region), part.boundary);
    } else if (const Shape& shape = model.walls[part.wall];
               shape.kind == ShapeKind::bore || shape.kind == ShapeKind::cylinder) {
      add_tube(polygons, active, placed, std::max(shape.radius, shape.hollow_radius), reached);
    } else if (shape.kind == ShapeKind::cavity) {
      polygons.add(tessellate(make_sphere(shape.name, shape.hollow_radius), kRefinement), placed);
    } else {
      polygons.add(tessellate(shape, kRefinement), placed);
    }
  }
  return polygons.data();
}

}  // namespace scree
