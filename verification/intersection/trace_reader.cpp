#include "trace_reader.hpp"

#include <algorithm>
#include <stdexcept>

namespace intersection {
namespace {

template <class Number>
Number get(std::ifstream& in) {
  Number value{};
  in.read(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}

Eigen::Vector3d get_vector(std::ifstream& in) {
  Eigen::Vector3d v;
  for (int k = 0; k < 3; ++k) v[k] = get<double>(in);
  return v;
}

std::int64_t get_integer(std::ifstream& in) { return get<std::int64_t>(in); }

/// A number of items, which a damaged file may give as anything.
std::int64_t get_count(std::ifstream& in, const std::string& name) {
  const auto count = get_integer(in);
  if (!in || count < 0 || count > (std::int64_t{1} << 32))
    throw std::runtime_error(name + ": damaged header");
  return count;
}

/// @returns the number of its kind.
std::int64_t get_solid(std::ifstream& in, const std::string& name, Solid& solid) {
  const auto kind = get_integer(in);
  solid.convex = get_integer(in) != 0;
  solid.radius = get<double>(in);
  solid.vertices.resize(get_count(in, name));
  for (auto& v : solid.vertices) v = get_vector(in);
  solid.faces.resize(get_count(in, name));
  for (auto& face : solid.faces) {
    face.resize(get_count(in, name));
    for (int& v : face) {
      v = static_cast<int>(get_integer(in));
      if (v < 0 || v >= static_cast<int>(solid.vertices.size()))
        throw std::runtime_error(name + ": damaged header");
    }
  }
  // The one face of a plane has no corners.
  std::erase_if(solid.faces, [](const std::vector<int>& face) { return face.size() < 3; });
  solid.prepare();
  return kind;
}

WallKind wall_kind(std::int64_t number, const std::string& name) {
  for (const auto kind : {WallKind::sphere, WallKind::capsule, WallKind::polyhedron, WallKind::plane,
                          WallKind::cylinder, WallKind::bore, WallKind::cavity, WallKind::surface}) {
    if (number == static_cast<std::int64_t>(kind)) return kind;
  }
  throw std::runtime_error(name + ": a wall of kind " + std::to_string(number) + ", which is not known");
}

Pose get_pose(std::ifstream& in) {
  Pose pose;
  pose.x = get_vector(in);
  pose.q.w() = get<double>(in);
  pose.q.vec() = get_vector(in);
  return pose;
}

/// Every comparison with NaN is false: a body without a place would intersect nothing.
bool is_finite(const Pose& pose) { return pose.x.allFinite() && pose.q.coeffs().allFinite(); }

}  // namespace

TraceReader::TraceReader(const std::string& file) {
  std::int64_t ranks = 1;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    Part part;
    part.name = file + "." + std::to_string(rank);
    part.in.open(part.name, std::ios::binary);
    if (!part.in) throw std::runtime_error(part.name + ": cannot be opened");
    std::string magic(8, ' ');
    part.in.read(magic.data(), 8);
    ranks = get_count(part.in, part.name);
    if (magic != "SCREETR2" || get_integer(part.in) != rank) {
      throw std::runtime_error(part.name + ": not the trace of rank " + std::to_string(rank));
    }
    read_geometry(part);
    parts_.push_back(std::move(part));
  }
}

void TraceReader::read_geometry(Part& part) {
  auto& in = part.in;
  solids.assign(get_count(in, part.name), {});
  for (auto& solid : solids) get_solid(in, part.name, solid);  // the vertices and the radius say its kind
  solid_of.resize(get_count(in, part.name));
  for (auto& solid : solid_of) solid = get_integer(in);
  walls.assign(get_count(in, part.name), {});
  for (auto& wall : walls) {
    Solid shape;
    wall.kind = wall_kind(get_solid(in, part.name, shape), part.name);
    wall.radius = shape.radius;
    if (wall.kind == WallKind::surface) wall.set_surface(shape);
    if (wall.kind == WallKind::capsule || wall.kind == WallKind::polyhedron) wall.solid = std::move(shape);
    wall.from = get<double>(in);
    wall.until = get<double>(in);
  }
  if (!in) throw std::runtime_error(part.name + ": ends within its header");
}

bool TraceReader::next(State& state) {
  state.poses.resize(solid_of.size());
  state.velocities.resize(solid_of.size());
  seen_.assign(solid_of.size(), 0);
  std::size_t told = 0;
  for (auto& part : parts_) {
    const auto time = get<double>(part.in);
    const auto count = get_integer(part.in);
    if (!part.in) return false;
    if (&part != &parts_.front() && time != state.time) {
      throw std::runtime_error(part.name + ": its states are at other times than those of rank 0");
    }
    state.time = time;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto id = get_integer(part.in);
      const Pose pose = get_pose(part.in);
      const Eigen::Vector3d velocity = get_vector(part.in);
      get_vector(part.in);  // angular velocity
      if (!part.in) return false;
      if (id < 0 || id >= static_cast<std::int64_t>(solid_of.size()) || seen_[id] != 0) {
        throw std::runtime_error(part.name + ": body " + std::to_string(id) + " is duplicate or unknown");
      }
      if (!is_finite(pose)) {
        throw std::runtime_error(part.name + ": body " + std::to_string(id) +
                                 " has a pose that is not finite at t = " + std::to_string(time) + " s");
      }
      seen_[id] = 1;
      ++told;
      state.poses[id] = pose;
      state.velocities[id] = velocity;
    }
    // Every rank has all walls.
    state.walls.resize(walls.size());
    for (Pose& pose : state.walls) pose = get_pose(part.in);
    if (!part.in) return false;
    if (!std::all_of(state.walls.begin(), state.walls.end(), is_finite)) {
      throw std::runtime_error(
          part.name + ": a wall has a pose that is not finite at t = " + std::to_string(time) + " s");
    }
  }
  if (told != solid_of.size()) throw std::runtime_error(parts_.front().name + ": a state lacks a body");
  return true;
}

}  // namespace intersection
