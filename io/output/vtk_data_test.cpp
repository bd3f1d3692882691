#include "io/output/vtk_data.hpp"

#include <gtest/gtest.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkXMLPolyDataReader.h>

#include <cmath>

namespace scree {
namespace {

Model box_with_open_top() {
  Model model;
  model.boundaries.resize(2);
  model.boundaries[1].active_until = 1;
  const auto add = [&](int boundary, const Vec3& point, const Vec3& normal) {
    model.boundary_parts.push_back({boundary, point, normal});
  };
  add(0, Vec3::Zero(), Vec3::UnitZ());
  add(1, Vec3::Zero(), Vec3::UnitX());
  add(1, Vec3(1, 0, 0), -Vec3::UnitX());
  add(1, Vec3::Zero(), Vec3::UnitY());
  add(1, Vec3(0, 1, 0), -Vec3::UnitY());
  return model;
}

TEST(BoundaryWalls, ReachFromWallToWallAndDownToTheFloor) {
  const Model model = box_with_open_top();
  const Eigen::AlignedBox3d bodies(Vec3(0.4, 0.4, 0.5), Vec3(0.6, 0.6, 2));
  const auto walls = boundary_walls(model, 0, bodies);
  EXPECT_EQ(walls->GetNumberOfCells(), 5);
  double bounds[6];
  walls->GetCellBounds(1, bounds);  // the wall x = 0 reaches between the walls y = 0 and y = 1
  EXPECT_NEAR(bounds[0], 0, 1e-12);
  EXPECT_NEAR(bounds[1], 0, 1e-12);
  EXPECT_NEAR(bounds[2], 0, 1e-12);
  EXPECT_NEAR(bounds[3], 1, 1e-12);
  EXPECT_NEAR(bounds[4], 0, 1e-12);  // stands on the floor
  EXPECT_GE(bounds[5], 2);
}

TEST(BoundaryWalls, AreGoneWhenTheyAreNoLongerActive) {
  const Eigen::AlignedBox3d bodies(Vec3(0.4, 0.4, 0.5), Vec3(0.6, 0.6, 2));
  const auto walls = boundary_walls(box_with_open_top(), 1, bodies);
  ASSERT_EQ(walls->GetNumberOfCells(), 1);
  double bounds[6];
  walls->GetCellBounds(0, bounds);  // the floor, which now ends where the bodies do
  EXPECT_NEAR(bounds[0], 0.4, 0.1);
  EXPECT_NEAR(bounds[1], 0.6, 0.1);
}

TEST(BoundaryWalls, CurvedOnesHaveTheirFormAndMove) {
  Model model;
  model.boundaries.resize(1);
  model.boundaries[0].motion.velocity = Vec3(0, 0, 2);
  model.walls = {make_bore("drum", 1)};
  model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitY(), 0},
                          {0, Vec3(0, -0.5, 0), Vec3::UnitY(), -1, 1},
                          {0, Vec3(0, 0.5, 0), -Vec3::UnitY(), -1, 1}};
  const auto drum = boundary_walls(model, 0.5, {Vec3(-0.1, -0.1, 0.9), Vec3(0.1, 0.1, 1.1)});
  double bounds[6];
  drum->GetBounds(bounds);
  const double expected[6] = {-1, 1, -0.5, 0.5, 0, 2};  // raised by a metre
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(bounds[k], expected[k], 2e-3);
  for (vtkIdType p = 0; p < drum->GetNumberOfPoints(); ++p)
    EXPECT_NEAR(std::hypot(drum->GetPoint(p)[0], drum->GetPoint(p)[2] - 1), 1, 1e-12);
  // A cylinder that has no end planes reaches as far as the bodies.
  model.boundary_parts.resize(1);
  boundary_walls(model, 0.5, {Vec3(-0.1, -0.1, 0.9), Vec3(0.1, 0.3, 1.1)})->GetBounds(bounds);
  EXPECT_NEAR(bounds[3], 0.3, 1e-12);
}

TEST(BoundaryWalls, ThatDoNotMoveAreWhereTheStateHasThem) {
  Model model;
  model.boundaries.resize(2);
  model.walls = {make_box("table", Vec3(1, 1, 0.2))};
  model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitZ(), 0}, {1, Vec3::Zero(), Vec3::UnitZ(), -1}};
  Bodies bodies;
  bodies.boundaries = 2;
  bodies.state.resize(2);
  bodies.state[0].x = Vec3(0, 0, -0.5);
  bodies.state[0].q = Quat(Eigen::AngleAxisd(0.5 * M_PI, Vec3::UnitX()));
  bodies.state[1].x = Vec3(0, 0, -2);
  double bounds[6];
  boundary_walls(model, 0, {Vec3(-1, -1, 0), Vec3(1, 1, 1)}, nullptr, &bodies)->GetBounds(bounds);
  EXPECT_NEAR(bounds[4], -2, 1e-12);  // the floor
  EXPECT_NEAR(bounds[5], 0, 1e-12);   // the table, on end
}

TEST(BoundaryWalls, SurfacesAndSpheresAreTheirOwnPicture) {
  Model model;
  model.boundaries.resize(2);
  model.walls = {make_surface("sheet", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}), make_cavity("c", 2)};
  model.boundary_parts = {{0, model.walls[0].shift, Vec3::UnitZ(), 0}, {1, Vec3(1, 0, 0), Vec3::UnitZ(), 1}};
  const auto walls = boundary_walls(model, 0, {Vec3::Zero(), Vec3::Ones()});
  EXPECT_EQ(walls->GetNumberOfCells(), 1 + 1280);
  EXPECT_EQ(walls->GetNumberOfPoints(), 3 + 642);  // neighbouring triangles have the same ones
  double bounds[6];
  walls->GetCellBounds(0, bounds);
  EXPECT_EQ(bounds[1], 1);
  walls->GetBounds(bounds);
  EXPECT_NEAR(bounds[0], -1, 0.02);
  EXPECT_NEAR(bounds[5], 2, 1e-12);
}

TEST(VtpContent, ReadsBackWithItsTimeAndVectors) {
  ContactRecord contact{4, -2, Vec3(1, 2, 3), Vec3::UnitY(), 1e-3, 7, Vec3(0.5, 0, 0), 0.25};
  const std::string content = vtp_content(*contact_points({contact, contact}), 0.3);
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->ReadFromInputStringOn();
  reader->SetInputString(content);
  reader->Update();
  vtkPolyData* back = reader->GetOutput();
  ASSERT_EQ(back->GetNumberOfPoints(), 2);
  EXPECT_EQ(back->GetNumberOfVerts(), 2);
  EXPECT_EQ(back->GetPointData()->GetArray("normal_force")->GetComponent(1, 1), 7);
  EXPECT_EQ(back->GetPointData()->GetArray("friction")->GetComponent(0, 0), 0.5);
  EXPECT_EQ(back->GetPointData()->GetArray("body_b")->GetComponent(0, 0), -2);
  EXPECT_EQ(back->GetFieldData()->GetArray("TimeValue")->GetComponent(0, 0), 0.3);
}

}  // namespace
}  // namespace scree
