#include "io/output/mesh_fault_writer.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <cctype>
#include <filesystem>
#include <set>

#include "io/output/checked_file.hpp"
#include "io/output/results_list.hpp"
#include "io/output/vtk_data.hpp"

namespace scree {
namespace {

enum Fault : unsigned char { kNone, kFreeEdge, kClashingEdge, kDegenerate, kCrossing, kEnclosed };

std::string content(const MeshFaults& mesh) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Vec3& v : mesh.surface.vertices) points->InsertNextPoint(v.data());
  vtkNew<vtkUnsignedCharArray> fault;
  fault->SetName("fault");
  // Cell data: those of the lines first.
  vtkNew<vtkCellArray> lines;
  const auto add_edges = [&](const std::vector<std::array<int, 2>>& edges, Fault kind) {
    for (const auto& [v, w] : edges) {
      lines->InsertNextCell({v, w});
      fault->InsertNextValue(kind);
    }
  };
  add_edges(mesh.free_edges, kFreeEdge);
  add_edges(mesh.clashing_edges, kClashingEdge);
  std::vector<unsigned char> of_faces(mesh.surface.loops.size(), kNone);
  for (const int f : mesh.enclosed_faces) of_faces[f] = kEnclosed;
  for (const int f : mesh.crossing_faces) of_faces[f] = kCrossing;
  for (const int f : mesh.degenerate_faces) of_faces[f] = kDegenerate;
  vtkNew<vtkCellArray> faces;
  for (std::size_t f = 0; f < of_faces.size(); ++f) {
    const auto& loop = mesh.surface.loops[f];
    faces->InsertNextCell(static_cast<int>(loop.size()));
    for (const int v : loop) faces->InsertCellPoint(v);
    fault->InsertNextValue(of_faces[f]);
  }
  vtkNew<vtkPolyData> data;
  data->SetPoints(points);
  data->SetLines(lines);
  data->SetPolys(faces);
  data->GetCellData()->AddArray(fault);
  return vtp_content(*data, 0);
}

}  // namespace

std::vector<std::string> write_mesh_faults(const std::vector<MeshFaults>& meshes,
                                           const std::string& directory, const std::filesystem::path& deck) {
  std::vector<std::string> names;
  std::set<std::string> taken;  // a shape and a boundary may have the same name
  for (const MeshFaults& mesh : meshes) {
    std::string name = mesh.name;
    for (char& c : name) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
    }
    const std::string stem = name;
    for (int number = 2; !taken.insert(name).second; ++number) name = stem + '_' + std::to_string(number);
    names.push_back(name + "_faults.vtp");
  }
  const auto list = list_beside_runs(directory, deck_identity(deck), names);  // locked until all are written
  for (std::size_t k = 0; k < names.size(); ++k) {
    names[k] = (std::filesystem::path(directory) / names[k]).string();
    write_whole_file(names[k], content(meshes[k]));
  }
  return names;
}

}  // namespace scree
