#include "io/output/vtk_data.hpp"

#include <fmt/core.h>
#include <vtkAbstractArray.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkLongLongArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkStringArray.h>
#include <vtkXMLPolyDataWriter.h>
#include <vtkZLibDataCompressor.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/interrupt.hpp"

namespace scree {
namespace {

/// Adds a named array to cell or point data. @returns it, owned by `data`.
template <typename Array>
Array* add_array(vtkFieldData* data, const char* name, int components = 1) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  data->AddArray(array);
  return array;
}

/// The writer's usual compression, which takes most of its time; once the user asked to stop, blocks become
/// empty ones: VTK has no other way to end early, and what it writes is thrown away.
class InterruptibleCompressor : public vtkZLibDataCompressor {
 public:
  static InterruptibleCompressor* New() {
    auto* made = new InterruptibleCompressor;
    made->InitializeObjectBase();
    return made;
  }

 protected:
  std::size_t CompressBuffer(const unsigned char* from, std::size_t size, unsigned char* to,
                             std::size_t space) override {
    if (!interrupt_requested()) return vtkZLibDataCompressor::CompressBuffer(from, size, to, space);
    *to = 0;
    return 1;
  }
};

void add_vector(vtkDoubleArray* array, const Vec3& v) { array->InsertNextTuple3(v.x(), v.y(), v.z()); }

}  // namespace

vtkSmartPointer<vtkPolyData> body_surfaces(const AcceptedState& state, const std::vector<SurfaceMesh>& meshes,
                                           const ShapeFamilies& families, int rank, bool in_double) {
  const Model& model = *state.model;
  const Bodies& bodies = *state.bodies;
  auto surfaces = vtkSmartPointer<vtkPolyData>::New();
  if (!families.names.empty()) {
    auto* names = add_array<vtkStringArray>(surfaces->GetFieldData(), "shape_names");
    for (const std::string& name : families.names) names->InsertNextValue(name);
  }
  vtkNew<vtkPoints> points;
  points->SetDataType(in_double ? VTK_DOUBLE : VTK_FLOAT);
  vtkNew<vtkCellArray> cells;
  vtkCellData* data = surfaces->GetCellData();
  auto* body = add_array<vtkLongLongArray>(data, "body");
  auto* shape = add_array<vtkIntArray>(data, "shape");
  auto* volume = add_array<vtkDoubleArray>(data, "volume");
  auto* owner = add_array<vtkIntArray>(data, "rank");
  auto* velocity = add_array<vtkDoubleArray>(data, "velocity", 3);
  auto* speed = add_array<vtkDoubleArray>(data, "speed");
  auto* spin = add_array<vtkDoubleArray>(data, "angular_velocity", 3);
  auto* force = add_array<vtkDoubleArray>(data, "contact_force", 3);
  auto* force_magnitude = add_array<vtkDoubleArray>(data, "contact_force_magnitude");
  // Polyhedra share their corners between faces: normals of points are for decks without them.
  const bool round = std::all_of(meshes.begin(), meshes.end(),
                                 [](const SurfaceMesh& mesh) { return !mesh.normals.empty(); });
  vtkNew<vtkFloatArray> normals;
  normals->SetName("Normals");
  normals->SetNumberOfComponents(3);
  for (int i = 0; i < bodies.owned; ++i) {
    check_interrupt();
    const BodyProperties& properties = bodies.properties[i];
    const BodyState& s = bodies.state[i];
    const Vec3 contact_force = (*state.body_wrench)[i].force;
    const SurfaceMesh& mesh = meshes[properties.shape];
    const int family = families.of_shape[properties.shape];
    const vtkIdType first = points->GetNumberOfPoints();
    const Mat3 rotation = s.q.toRotationMatrix();
    const Vec3 pole = bodies.periodic.wrap(s.x);
    for (const Vec3& point_B : mesh.points) {
      const Vec3 p = pole + rotation * point_B;
      points->InsertNextPoint(p.x(), p.y(), p.z());
    }
    if (round) {
      for (const Vec3& normal_B : mesh.normals) {
        const Vec3 n = rotation * normal_B;
        normals->InsertNextTuple3(n.x(), n.y(), n.z());
      }
    }
    for (const auto& [a, b, c] : mesh.triangles) {
      const vtkIdType corners[] = {first + a, first + b, first + c};
      cells->InsertNextCell(3, corners);
      body->InsertNextValue(properties.id);
      shape->InsertNextValue(family);
      volume->InsertNextValue(model.shapes[properties.shape].volume);
      owner->InsertNextValue(rank);
      add_vector(velocity, s.v);
      speed->InsertNextValue(s.v.norm());
      add_vector(spin, s.w);
      add_vector(force, contact_force);
      force_magnitude->InsertNextValue(contact_force.norm());
    }
  }
  surfaces->SetPoints(points);
  if (round) surfaces->GetPointData()->SetNormals(normals);
  surfaces->SetPolys(cells);
  return surfaces;
}

vtkSmartPointer<vtkPolyData> contact_points(const std::vector<ContactRecord>& contacts) {
  auto cloud = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> cells;
  vtkPointData* data = cloud->GetPointData();
  auto* body_a = add_array<vtkLongLongArray>(data, "body_a");
  auto* body_b = add_array<vtkLongLongArray>(data, "body_b");
  auto* normal = add_array<vtkDoubleArray>(data, "normal", 3);
  auto* gap = add_array<vtkDoubleArray>(data, "gap");
  auto* normal_force = add_array<vtkDoubleArray>(data, "normal_force", 3);
  auto* magnitude = add_array<vtkDoubleArray>(data, "normal_force_magnitude");
  auto* friction = add_array<vtkDoubleArray>(data, "friction", 3);
  auto* weight = add_array<vtkDoubleArray>(data, "weight");
  for (const auto& c : contacts) {
    check_interrupt();
    const vtkIdType point = points->InsertNextPoint(c.point.x(), c.point.y(), c.point.z());
    cells->InsertNextCell(1, &point);
    body_a->InsertNextValue(c.body_a);
    body_b->InsertNextValue(c.body_b);
    add_vector(normal, c.normal);
    gap->InsertNextValue(c.gap);
    add_vector(normal_force, c.normal_force * c.normal);
    magnitude->InsertNextValue(c.normal_force);
    add_vector(friction, c.friction);
    weight->InsertNextValue(c.weight);
  }
  cloud->SetPoints(points);
  cloud->SetVerts(cells);
  return cloud;
}

std::string vtp_content(vtkPolyData& data, double time) {
  vtkNew<vtkDoubleArray> time_value;  // the name by which ParaView knows it
  time_value->SetName("TimeValue");
  time_value->InsertNextValue(time);
  data.GetFieldData()->AddArray(time_value);
  vtkNew<vtkXMLPolyDataWriter> writer;
  writer->SetInputData(&data);
  writer->WriteToOutputStringOn();
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  const vtkNew<InterruptibleCompressor> compressor;
  compressor->SetCompressionLevel(writer->GetCompressionLevel());
  writer->SetCompressor(compressor);
  if (writer->Write() != 1) throw RunError("VTK could not prepare a data set for writing.");
  check_interrupt();
  return writer->GetOutputString();
}

std::string pvtp_content(vtkPolyData& data, const std::vector<std::string>& pieces) {
  const auto type_name = [](vtkAbstractArray* array) {
    switch (array->GetDataType()) {
      case VTK_FLOAT:
        return "Float32";
      case VTK_DOUBLE:
        return "Float64";
      case VTK_INT:
        return "Int32";
      case VTK_LONG_LONG:
        return "Int64";
      default:
        throw RunError(std::string("no name for the VTK type of array ") + array->GetName());
    }
  };
  const auto arrays = [&](vtkFieldData* list) {
    std::string text;
    for (int k = 0; k < list->GetNumberOfArrays(); ++k) {
      vtkAbstractArray* array = list->GetAbstractArray(k);
      text += fmt::format("      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
                          type_name(array), array->GetName(), array->GetNumberOfComponents());
    }
    return text;
  };
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <PPolyData "
      "GhostLevel=\"0\">\n";
  text += "    <PPointData>\n" + arrays(data.GetPointData()) + "    </PPointData>\n";
  text += "    <PCellData>\n" + arrays(data.GetCellData()) + "    </PCellData>\n";
  text += fmt::format(
      "    <PPoints>\n      <PDataArray type=\"{}\" Name=\"Points\" NumberOfComponents=\"3\"/>\n"
      "    </PPoints>\n",
      type_name(data.GetPoints()->GetData()));
  for (const auto& piece : pieces) text += "    <Piece Source=\"" + piece + "\"/>\n";
  return text + "  </PPolyData>\n</VTKFile>\n";
}

}  // namespace scree
