#include "io/output/vtk_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkXMLPPolyDataReader.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "core/error.hpp"
#include "core/shapes/shape.hpp"
#include "core/test_extremes.hpp"
#include "core/text.hpp"
#include "io/output/fabricated_run.hpp"

namespace scree {
namespace {

class VtkWriterTest : public FabricatedRun {
 protected:
  VtkWriterTest() {
    model_.output.vtk_every = 0.1;
    deal_bodies(12);
    cut_model();
  }

  /// @returns the bodies that a writer writes, the pieces of all ranks joined. Collective.
  vtkSmartPointer<vtkPolyData> written() {
    ResultsFolder results(model_, kComm);
    VtkWriter writer(model_, kComm, results);
    writer.accepted(at(0, 0, 0));
    MPI_Barrier(kComm);
    vtkNew<vtkXMLPPolyDataReader> reader;
    reader->SetFileName((folder_ / "vtk/bodies_000000.pvtp").c_str());
    reader->Update();
    return reader->GetOutput();
  }
};

TEST_F(VtkWriterTest, ThePiecesJoinedHoldEveryBodyOnce) {
  const auto all = written();
  std::map<BodyId, int> triangles;
  for (vtkIdType cell = 0; cell < all->GetNumberOfCells(); ++cell) {
    const auto value = [&](const char* name, int component) {
      return all->GetCellData()->GetArray(name)->GetComponent(cell, component);
    };
    const auto id = static_cast<BodyId>(value("body", 0));
    ++triangles[id];
    ASSERT_EQ(value("shape", 0), static_cast<double>(id % 3));
    ASSERT_EQ(value("rank", 0), static_cast<double>(id % ranks_of(kComm)));
    ASSERT_EQ(value("velocity", 1), state_of(id).v.y());
    ASSERT_EQ(value("speed", 0), state_of(id).v.norm());
    ASSERT_EQ(value("angular_velocity", 0), state_of(id).w.x());
    ASSERT_EQ(value("contact_force_magnitude", 0), wrench_of(id).force.norm());
    double bounds[6];
    all->GetCellBounds(cell, bounds);
    const Shape& shape = model_.shapes[id % 3];
    for (int axis = 0; axis < 3; ++axis) {
      const double* side = &bounds[std::ptrdiff_t{2} * axis];
      const double place = state_of(id).x[axis];
      ASSERT_LE(std::max(side[1] - place, place - side[0]), shape.bounding_radius * (1 + 1e-5))
          << "body " << id;
    }
  }
  ASSERT_EQ(triangles.size(), 12u);
  for (const auto& [id, count] : triangles) EXPECT_GE(count, 12) << "body " << id;
  EXPECT_EQ(triangles[0], 12);   // a box
  EXPECT_EQ(triangles[1], 320);  // a sphere
}

TEST_F(VtkWriterTest, ABodyOfAnotherSizeHasTheShapeOfTheDeck) {
  model_.shapes[2] = scaled(model_.shapes[1], "ball*1.5", 1.5);
  const auto all = written();
  auto* names = vtkStringArray::SafeDownCast(all->GetFieldData()->GetAbstractArray("shape_names"));
  ASSERT_NE(names, nullptr);
  ASSERT_EQ(names->GetNumberOfValues(), 2);
  EXPECT_EQ(std::string(names->GetValue(0)), "block");
  EXPECT_EQ(std::string(names->GetValue(1)), "ball");
  ASSERT_GT(all->GetNumberOfCells(), 0);
  for (vtkIdType cell = 0; cell < all->GetNumberOfCells(); ++cell) {
    const auto value = [&](const char* name) {
      return all->GetCellData()->GetArray(name)->GetComponent(cell, 0);
    };
    const auto shape = static_cast<BodyId>(value("body")) % 3;
    ASSERT_EQ(value("shape"), shape == 0 ? 0 : 1);
    ASSERT_EQ(value("volume"), model_.shapes[shape].volume);  // not that of its triangles
  }
}

TEST_F(VtkWriterTest, ABodyFarFromTheOriginKeepsItsForm) {
  ResultsFolder results(model_, kComm);
  VtkWriter writer(model_, kComm, results);
  const Vec3 place(5e5, 5e6, 10);
  if (rank_of(kComm) == 0) bodies_.state[0].x = place;  // of body 0, a box
  writer.accepted(at(0, 0, 0));
  if (rank_of(kComm) == 0) bodies_.state[0].x = Vec3::Zero();
  writer.accepted(at(0.1, 0.1, 1));
  MPI_Barrier(kComm);
  vtkNew<vtkXMLPPolyDataReader> reader;
  reader->SetFileName((folder_ / "vtk/bodies_000000.pvtp").c_str());
  reader->Update();
  vtkPolyData* all = reader->GetOutput();
  EXPECT_EQ(all->GetPoints()->GetDataType(), VTK_DOUBLE);
  const double radius = model_.shapes[0].bounding_radius;
  int triangles = 0;
  double largest = 0;
  for (vtkIdType cell = 0; cell < all->GetNumberOfCells(); ++cell) {
    if (all->GetCellData()->GetArray("body")->GetComponent(cell, 0) != 0) continue;
    ++triangles;
    vtkPoints* corners = all->GetCell(cell)->GetPoints();
    for (vtkIdType k = 0; k < 3; ++k) {
      const Vec3 corner = Eigen::Map<const Vec3>(corners->GetPoint(k));
      test::keep_largest(largest, std::abs((corner - place).norm() - radius));
    }
  }
  EXPECT_EQ(triangles, 12);
  EXPECT_LT(largest, 1e-8) << "a few times the round-off of 5e6 m";
  vtkNew<vtkXMLPPolyDataReader> next;
  next->SetFileName((folder_ / "vtk/bodies_000001.pvtp").c_str());
  next->Update();
  EXPECT_EQ(next->GetOutput()->GetPoints()->GetDataType(), VTK_FLOAT);
}

TEST_F(VtkWriterTest, TheSeriesNamesFilesThatExist) {
  ResultsFolder results(model_, kComm);
  VtkWriter writer(model_, kComm, results);
  writer.accepted(at(0, 0, 0));
  writer.accepted(at(0.05, 0.05, 1));
  writer.accepted(at(0.1, 0.05, 2, true));
  MPI_Barrier(kComm);
  for (const std::string series : {"bodies", "contacts", "boundaries"}) {
    const std::string listed = content_of(folder_ / (series + ".pvd"));
    const std::string suffix = series == "boundaries" ? ".vtp" : ".pvtp";
    for (const std::string number : {"_000000", "_000001"}) {
      const std::string file = text::join("vtk/", series, number, suffix);
      EXPECT_THAT(listed, testing::HasSubstr("file=\"" + file + "\""));
      EXPECT_TRUE(std::filesystem::exists(folder_ / file)) << file;
    }
    EXPECT_THAT(listed, testing::HasSubstr("timestep=\"0.1\""));
    EXPECT_THAT(listed, testing::Not(testing::HasSubstr("_000002")));
  }
  const std::vector<std::string> files = read_results_list(folder_).at(0).files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "vtk"))
    EXPECT_THAT(files, testing::Contains("vtk/" + entry.path().filename().string()));
}

TEST_F(VtkWriterTest, AFileThatOneRankCannotWriteIsARunErrorOnAllAndTheSeriesStaysValid) {
  ResultsFolder results(model_, kComm);
  VtkWriter writer(model_, kComm, results);
  writer.accepted(at(0, 0, 0));
  const std::string full = "bodies_000001_" + std::to_string(ranks_of(kComm) - 1) + ".vtp";
  if (rank_of(kComm) == 0) block("vtk/" + full);
  MPI_Barrier(kComm);
  try {
    writer.accepted(at(0.1, 0.1, 1));
    FAIL() << "no error on rank " << rank_of(kComm);
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr(full), testing::HasSubstr("File exists")));
  }
  MPI_Barrier(kComm);
  EXPECT_THAT(content_of(folder_ / "bodies.pvd"), testing::Not(testing::HasSubstr("000001")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "vtk" / full));
}

TEST_F(VtkWriterTest, AFrameThatLacksOneOfItsFilesLeavesNone) {
  ResultsFolder results(model_, kComm);
  VtkWriter writer(model_, kComm, results);
  writer.accepted(at(0, 0, 0));
  if (rank_of(kComm) == 0) block("vtk/boundaries_000001.vtp");
  MPI_Barrier(kComm);
  EXPECT_THROW(writer.accepted(at(0.1, 0.1, 1)), RunError);
  MPI_Barrier(kComm);
  for (const std::string series : {"bodies", "contacts", "boundaries"})
    EXPECT_THAT(content_of(folder_ / (series + ".pvd")), testing::Not(testing::HasSubstr("000001")))
        << series;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "vtk"))
    EXPECT_TRUE(entry.path().filename().string().find("000001") == std::string::npos ||
                entry.path().extension() == ".scree-tmp")
        << entry.path();
}

TEST_F(VtkWriterTest, AFrameThatIsTakenBackIsWrittenAsIfItHadNotBegun) {
  ResultsFolder results(model_, kComm);
  VtkWriter writer(model_, kComm, results);
  writer.accepted(at(0, 0, 0));
  const std::string walls = "vtk/boundaries_000001.vtp";
  if (rank_of(kComm) == 0) block(walls);
  MPI_Barrier(kComm);
  BodyState& body = bodies_.state[0];  // each rank has one
  const Vec3 place = body.x;
  body.x = Vec3(100, 0, 0);  // beyond the floor that is drawn
  EXPECT_THROW(writer.accepted(at(0.1, 0.1, 1)), RunError);
  body.x = place;
  MPI_Barrier(kComm);
  if (rank_of(kComm) == 0) std::filesystem::remove(folder_ / (walls + std::string(kTemporarySuffix)));
  MPI_Barrier(kComm);
  writer.accepted(at(0.1, 0.1, 1));
  MPI_Barrier(kComm);
  EXPECT_THAT(content_of(folder_ / "boundaries.pvd"), testing::HasSubstr("file=\"" + walls + "\""));
  const auto bounds_of = [&](const std::string& file) {
    vtkNew<vtkXMLPolyDataReader> reader;
    reader->SetFileName((folder_ / file).c_str());
    reader->Update();
    std::array<double, 6> bounds{};
    reader->GetOutput()->GetBounds(bounds.data());
    return bounds;
  };
  EXPECT_EQ(bounds_of(walls), bounds_of("vtk/boundaries_000000.vtp"));
}

}  // namespace
}  // namespace scree
