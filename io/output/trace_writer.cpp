#include "io/output/trace_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "io/collective.hpp"

namespace scree {
namespace {

constexpr std::string_view kMagic = "SCREETR2";

std::string file_of_rank(const std::string& name, int rank) { return name + "." + std::to_string(rank); }

void put(std::string& to, double value) { to.append(reinterpret_cast<const char*>(&value), sizeof value); }

void put(std::string& to, std::int64_t value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put(std::string& to, const Vec3& v) {
  for (int k = 0; k < 3; ++k) put(to, v[k]);
}

template <class Container>
void put_size(std::string& to, const Container& container) {
  put(to, static_cast<std::int64_t>(container.size()));
}

/// As the layout numbers them.
std::int64_t kind_number(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
      return 0;
    case ShapeKind::capsule:
      return 1;
    case ShapeKind::polyhedron:
      return shape.open ? 7 : 2;
    case ShapeKind::superquadric:
      break;  // the layout has none: its reader knows points, edges and triangles
    case ShapeKind::plane:
      return 3;
    case ShapeKind::cylinder:
      return 4;
    case ShapeKind::bore:
      return 5;
    case ShapeKind::cavity:
      return 6;
  }
  throw RunError(fmt::format(
      "SCREE_TRACE: shape \"{}\" is a superquadric, which a trace cannot hold; run without it.", shape.name));
}

void put_shape(std::string& to, const Shape& shape) {
  put(to, kind_number(shape));
  put(to, std::int64_t{shape.convex});
  put(to, std::max(shape.radius, shape.hollow_radius));
  put_size(to, shape.vertices);
  for (const Vec3& v : shape.vertices) put(to, v);
  put_size(to, shape.faces);
  for (const Face& face : shape.faces) {
    put_size(to, face.loop);
    for (const int v : face.loop) put(to, std::int64_t{v});
  }
}

void put_pose(std::string& to, const BodyState& state) {
  put(to, state.x);
  put(to, state.q.w());
  put(to, Vec3(state.q.vec()));
}

std::string shapes_text(const Model& model) {
  std::string to;
  put_size(to, model.shapes);
  for (const Shape& shape : model.shapes) put_shape(to, shape);
  return to;
}

std::string walls_text(const Model& model) {
  std::string to;
  put_size(to, model.boundary_parts);
  const Shape plane = make_plane("plane");
  for (const BoundaryPart& part : model.boundary_parts) {
    put_shape(to, part.wall < 0 ? plane : model.walls[part.wall]);
    put(to, model.boundaries[part.boundary].active_from);
    put(to, model.boundaries[part.boundary].active_until);
  }
  return to;
}

}  // namespace

std::string trace_name() {
  const char* file = std::getenv("SCREE_TRACE");
  return file == nullptr ? "" : file;
}

std::string trace_fault(const std::string& name, int rank) {
  const std::string file = file_of_rank(name, rank);
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(file, ignored);
  if (!std::filesystem::exists(status)) return "";
  std::string start(kMagic.size(), '\0');
  if (std::filesystem::is_regular_file(status))
    std::ifstream(file, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  // Any version of the layout.
  if (start.substr(0, kMagic.size() - 1) == kMagic.substr(0, kMagic.size() - 1)) return "";
  return file + " exists and is not a trace of an earlier run; choose another name in SCREE_TRACE.";
}

TraceWriter::TraceWriter(std::string file, MPI_Comm comm) : name_(std::move(file)), comm_(comm) {}

std::unique_ptr<TraceWriter> TraceWriter::from_environment(MPI_Comm comm) {
  const std::string name = trace_name();
  return name.empty() ? nullptr : std::make_unique<TraceWriter>(name, comm);
}

void TraceWriter::open() {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  together(comm_, [&] {
    if (const std::string fault = trace_fault(name_, rank); !fault.empty()) throw RunError(fault);
    std::string header(kMagic);
    put(header, std::int64_t{ranks});
    put(header, std::int64_t{rank});
    file_ = std::make_unique<GrowingFile>(file_of_rank(name_, rank), header);
  });
}

void TraceWriter::write_geometry(const AcceptedState& state) {
  together(comm_, [&] { file_->append(shapes_text(*state.model)); });
  const Bodies& bodies = *state.bodies;
  // Owned bodies stand in ascending order of ids.
  BodyId end = bodies.owned > 0 ? bodies.properties[bodies.owned - 1].id + 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_INT64_T, MPI_MAX, comm_);
  std::string size;
  put(size, end);
  together(comm_, [&] { file_->append(size); });
  int next = 0;
  for (BodyId first = 0; first < end; first += kGatherChunk) {
    std::vector<std::int64_t> shapes(std::min(kGatherChunk, end - first), -1);
    for (; next < bodies.owned && bodies.properties[next].id - first < kGatherChunk; ++next)
      shapes[bodies.properties[next].id - first] = bodies.properties[next].shape;
    MPI_Allreduce(MPI_IN_PLACE, shapes.data(), static_cast<int>(shapes.size()), MPI_INT64_T, MPI_MAX, comm_);
    together(comm_, [&] {
      std::string table;
      for (const std::int64_t shape : shapes) put(table, shape);
      file_->append(table);
    });
  }
  together(comm_, [&] { file_->append(walls_text(*state.model)); });
}

void TraceWriter::accepted(const AcceptedState& state) {
  if (!file_) {
    open();
    write_geometry(state);
  }
  together(comm_, [&] {
    std::string record;
    put(record, state.time);
    put(record, std::int64_t{state.bodies->owned});
    for (int i = 0; i < state.bodies->owned; ++i) {
      const BodyState& body = state.bodies->state[i];
      put(record, std::int64_t{state.bodies->properties[i].id});
      BodyState in_cell = body;
      in_cell.x = state.bodies->periodic.wrap(body.x);
      put_pose(record, in_cell);
      put(record, body.v);
      put(record, body.w);
    }
    for (int w = state.bodies->moving(); w < state.bodies->all(); ++w)
      put_pose(record, state.bodies->state[w]);
    file_->append(record);
  });
}

}  // namespace scree
