#include "io/coupling/gathered_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "assembly/gather.hpp"
#include "core/error.hpp"
#include "core/mesh/coincident_vertices.hpp"

namespace scree::coupling {
namespace {

struct Vertex {
  std::int64_t id = 0;
  std::array<double, 3> x{};
};
using Triangle = std::array<std::int64_t, 3>;

/// The same triangle, its smallest number first.
Triangle turned(const Triangle& t) {
  const auto least = std::min_element(t.begin(), t.end()) - t.begin();
  return {t[static_cast<std::size_t>(least)], t[static_cast<std::size_t>((least + 1) % 3)],
          t[static_cast<std::size_t>((least + 2) % 3)]};
}

struct Known {
  Vec3 x;
  int rank = 0, place = 0;
};

/// Triangles that do not share their vertices would each push a body that is over their seam.
void refuse_doubles(const GatheredMesh& mesh, const std::string& name) {
  auto faults = coincident_vertices({mesh.reference, mesh.loops}, "surface \"" + name + '"', mesh.names());
  if (!faults.empty()) throw InputError(std::move(faults));
}

}  // namespace

bool any_rank(bool holds, MPI_Comm comm) {
  int flag = holds ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &flag, 1, MPI_INT, MPI_MAX, comm);
  return flag != 0;
}

void GatheredMesh::take_whole(const Shape& shape, MPI_Comm comm) {
  reference = shape.vertices;
  for (const Face& face : shape.faces) loops.push_back(face.loop);
  for (std::size_t k = 0; k < reference.size(); ++k) {
    own.reference.insert(own.reference.end(), reference[k].data(), reference[k].data() + 3);
    own.id.push_back(static_cast<std::int64_t>(k));
    place.push_back(static_cast<int>(k));
  }
  for (const std::vector<int>& loop : loops)
    own.triangles.insert(own.triangles.end(), loop.begin(), loop.end());
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  speaks.assign(reference.size(), rank == 0 ? 1 : 0);
  refuse_doubles(*this, shape.name);
}

void GatheredMesh::gather_from(const SurfaceMesh& part, const std::string& name, MPI_Comm comm) {
  own.reference.assign(part.reference.begin(), part.reference.end());
  own.triangles.assign(part.triangles.begin(), part.triangles.end());
  own.id.assign(part.id.begin(), part.id.end());
  const std::size_t nv = own.reference.size() / 3;
  if (own.id.empty())
    for (std::size_t k = 0; k < nv; ++k) own.id.push_back(static_cast<std::int64_t>(k));
  std::vector<Diagnostic> faults;
  const auto fault = [&](const std::string& text) {
    if (faults.size() < 5) faults.push_back({"surface \"" + name + '"', text});
  };
  if (own.reference.size() % 3 != 0 || own.triangles.size() % 3 != 0)
    fault(fmt::format("got {} coordinates and {} corners of triangles; expected multiples of 3.",
                      own.reference.size(), own.triangles.size()));
  if (own.id.size() != nv)
    fault(fmt::format("got {} vertex numbers; expected {}, one per vertex.", own.id.size(), nv));
  for (std::size_t k = 0; k < own.reference.size(); ++k)
    if (!std::isfinite(own.reference[k]))
      fault(fmt::format("vertex {}: got the coordinate {}.", k / 3, own.reference[k]));
  for (std::size_t k = 0; k < own.triangles.size(); ++k)
    if (own.triangles[k] < 0 || own.triangles[k] >= static_cast<int>(nv))
      fault(nv == 0 ? fmt::format("triangle {}: got vertex {}; this rank gives no vertices.", k / 3,
                                  own.triangles[k])
                    : fmt::format("triangle {}: got vertex {}; expected 0 to {}, vertices of this rank.",
                                  k / 3, own.triangles[k], nv - 1));
  if (any_rank(!faults.empty(), comm)) {
    if (faults.empty()) fault("the part of another rank is invalid.");
    throw InputError(std::move(faults));
  }
  if (!any_rank(!own.triangles.empty(), comm))
    throw InputError(
        "surface \"" + name + '"',
        "got a mesh without triangles; expected at least one triangle, or no mesh for that of the "
        "deck.");
  std::vector<Vertex> vertices;
  for (std::size_t k = 0; k < nv; ++k)
    vertices.push_back(
        {own.id[k], {own.reference[3 * k], own.reference[3 * k + 1], own.reference[3 * k + 2]}});
  std::vector<Triangle> triangles;
  for (std::size_t t = 0; t < own.triangles.size(); t += 3)
    triangles.push_back(turned({own.id[static_cast<std::size_t>(own.triangles[t])],
                                own.id[static_cast<std::size_t>(own.triangles[t + 1])],
                                own.id[static_cast<std::size_t>(own.triangles[t + 2])]}));
  const std::vector<int> counts = gather_layout(vertices.size(), comm).counts;
  const std::vector<Vertex> all = gather_to_all(vertices, comm);
  const std::vector<int> triangle_counts = gather_layout(triangles.size(), comm).counts;
  const std::vector<Triangle> corners = gather_to_all(triangles, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::map<std::int64_t, Known> known;
  std::size_t at = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    for (int k = 0; k < counts[r]; ++k, ++at) {
      const Vec3 x(all[at].x.data());
      const auto [first, is_new] = known.try_emplace(all[at].id, Known{x, static_cast<int>(r), 0});
      if (!is_new && first->second.x != x)
        fault(fmt::format(
            "vertex {} is at [{}, {}, {}] on rank {} and at [{}, {}, {}] on rank {}; expected one "
            "place per number.",
            all[at].id, first->second.x.x(), first->second.x.y(), first->second.x.z(), first->second.rank,
            x.x(), x.y(), x.z(), r));
    }
  }
  if (!faults.empty()) throw InputError(std::move(faults));  // the same on all ranks
  reference.clear();
  for (auto& [number, vertex] : known) {
    vertex.place = static_cast<int>(reference.size());
    reference.push_back(vertex.x);
    id.push_back(number);
  }
  std::map<std::vector<int>, std::array<int, 2>> first;  // by places of the corners
  std::size_t next = 0;
  for (std::size_t r = 0; r < triangle_counts.size(); ++r) {
    for (int k = 0; k < triangle_counts[r]; ++k, ++next) {
      const Triangle& t = corners[next];
      first.try_emplace({known.at(t[0]).place, known.at(t[1]).place, known.at(t[2]).place},
                        std::array{static_cast<int>(r), k});
    }
  }
  loops.clear();
  for (const auto& [loop, source] : first) {
    loops.push_back(loop);
    given.push_back(source);
  }
  refuse_doubles(*this, name);
  std::set<std::int64_t> spoken;
  for (const std::int64_t number : own.id) {
    place.push_back(known.at(number).place);
    speaks.push_back(known.at(number).rank == rank && spoken.insert(number).second ? 1 : 0);
  }
}

std::string GatheredMesh::triangle_name(int triangle) const {
  if (given.empty()) return std::to_string(triangle);
  const auto& [rank, number] = given[static_cast<std::size_t>(triangle)];
  return ranks > 1 ? fmt::format("{} of rank {}", number, rank) : std::to_string(number);
}

SurfaceNames GatheredMesh::names() const {
  SurfaceNames made;
  made.face = [this](int triangle) { return triangle_name(triangle); };
  if (!id.empty()) made.vertex = [this](int v) { return std::to_string(id[static_cast<std::size_t>(v)]); };
  return made;
}

std::optional<std::vector<Vec3>> GatheredMesh::gather(const std::vector<double>& own_values,
                                                      MPI_Comm comm) const {
  const bool missing = own_values.empty() && !place.empty();
  if (!any_rank(!own_values.empty(), comm)) return {};
  if (any_rank(missing, comm))
    throw InputError("", "a rank gave no values for its vertices of a surface, and another one did.");
  std::vector<Vec3> values(reference.size(), Vec3::Zero());
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (speaks[k] == 0) continue;
    values[static_cast<std::size_t>(place[k])] = Vec3(&own_values[3 * k]);
  }
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(3 * values.size()), MPI_DOUBLE, MPI_SUM, comm);
  return values;
}

void GatheredMesh::scatter(const std::vector<Vec3>& values, std::span<double> own_values) const {
  if (own_values.size() != own.reference.size())
    throw std::invalid_argument(fmt::format("got room for {} numbers; expected {}, 3 per vertex of this rank",
                                            own_values.size(), own.reference.size()));
  for (std::size_t k = 0; k < place.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      own_values[3 * k + i] = values[static_cast<std::size_t>(place[k])][static_cast<Eigen::Index>(i)];
}

}  // namespace scree::coupling
