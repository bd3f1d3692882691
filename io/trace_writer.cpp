#include "io/trace_writer.hpp"

#include <cstdint>
#include <cstdlib>

#include "io/collective.hpp"
#include "solvers/boundary_motion.hpp"

namespace scree {
namespace {

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

std::int64_t kind_number(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere:
      return 0;
    case ShapeKind::capsule:
      return 1;
    case ShapeKind::polyhedron:
      return 2;
    default:
      break;
  }
  throw RunError("trace: a wall is not the shape of a body");
}

std::string geometry(const Model& model) {
  std::string to;
  put_size(to, model.shapes);
  for (const Shape& shape : model.shapes) {
    put(to, kind_number(shape.kind));
    put(to, std::int64_t{shape.convex});
    put(to, shape.radius);
    put_size(to, shape.vertices);
    for (const Vec3& v : shape.vertices) put(to, v);
    put_size(to, shape.faces);
    for (const Face& face : shape.faces) {
      put_size(to, face.loop);
      for (const int v : face.loop) put(to, std::int64_t{v});
    }
  }
  put_size(to, model.bodies);
  for (const BodyDescription& body : model.bodies) put(to, std::int64_t{body.shape});
  // The checker knows planes at rest.
  std::vector<BoundaryPart> planes;
  for (const BoundaryPart& part : model.boundary_parts) {
    if (part.wall < 0 && !moves(model.boundaries[part.boundary].motion)) planes.push_back(part);
  }
  put_size(to, planes);
  for (const BoundaryPart& part : planes) {
    const BoundaryDescription& boundary = model.boundaries[part.boundary];
    put(to, part.point);
    put(to, part.normal);
    put(to, boundary.active_from);
    put(to, boundary.active_until);
  }
  return to;
}

}  // namespace

TraceWriter::TraceWriter(const std::string& file, MPI_Comm comm) : comm_(comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  together(comm_, [&] {
    file_ = std::make_unique<GrowingFile>(file + "." + std::to_string(rank));
    std::string header = "SCREETR1";
    put(header, std::int64_t{ranks});
    put(header, std::int64_t{rank});
    file_->append(header);
  });
}

std::unique_ptr<TraceWriter> TraceWriter::from_environment(MPI_Comm comm) {
  const char* file = std::getenv("SCREE_TRACE");
  if (file == nullptr || *file == '\0') return nullptr;
  return std::make_unique<TraceWriter>(file, comm);
}

void TraceWriter::accepted(const AcceptedState& state) {
  together(comm_, [&] {
    std::string record = state.first ? geometry(*state.model) : "";
    put(record, state.time);
    put(record, std::int64_t{state.bodies->owned});
    for (int i = 0; i < state.bodies->owned; ++i) {
      const BodyState& body = state.bodies->state[i];
      put(record, std::int64_t{state.bodies->properties[i].id});
      put(record, state.bodies->periodic.wrap(body.x));
      put(record, body.q.w());
      put(record, Vec3(body.q.vec()));
      put(record, body.v);
      put(record, body.w);
    }
    file_->append(record);
  });
}

}  // namespace scree
