#include "contact/geometry/cores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "contact/geometry/closest_points.hpp"
#include "core/infinity.hpp"
#include "core/interrupt.hpp"

namespace scree::contact {
namespace {

/// Size of a core as part of that of the shape.
constexpr double kCore = 0.7;

/// Places below a face that are tried for a ball.
constexpr int kPlaces = 16;
/// Halvings of the first place, for thin shells.
constexpr int kThinner = 6;
/// Cells in the bounding radius of which one face in each direction of eight gets a ball.
constexpr double kCells = 4;
/// Balls that are nearer to a larger one than this part of the bounding radius, or than that one and much
/// smaller (as along the edge of a wedge), are left out.
constexpr double kNear = 0.125;
constexpr double kBeside = 0.25;
constexpr double kMuchSmaller = 0.25;

double margin_of_convex(const Shape& shape) { return (1 - kCore) * inner_radius(shape); }

Vec3 middle_of(const Shape& shape, const Face& face) {
  Vec3 middle = Vec3::Zero();
  for (const int v : face.loop) middle += shape.vertices[v] / static_cast<double>(face.loop.size());
  return middle;
}

/// Faces from all over a surface: every limb has some, and they are the same in any order of the faces.
std::vector<int> faces_all_over(const Shape& shape) {
  using Place = std::array<double, 3>;
  std::map<std::array<int, 6>, std::pair<Place, int>> chosen;  // by cell and signs of the normal
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) {
    const Face& face = shape.faces[static_cast<std::size_t>(f)];
    const Vec3 middle = middle_of(shape, face);
    std::array<int, 6> cell{};
    for (int k = 0; k < 3; ++k) {
      cell[static_cast<std::size_t>(k)] =
          static_cast<int>(std::floor(kCells * middle[k] / shape.bounding_radius));
      cell[static_cast<std::size_t>(k) + 3] = face.normal[k] < 0 ? 1 : 0;
    }
    const Place place{middle.x(), middle.y(), middle.z()};
    const auto [known, added] = chosen.try_emplace(cell, place, f);
    if (!added && place < known->second.first) known->second = {place, f};
  }
  std::vector<int> faces;
  faces.reserve(chosen.size());
  for (const auto& [cell, face] : chosen) faces.push_back(face.second);
  return faces;
}

/// The largest of some balls whose centres lie below the middle of a face; no radius without one.
Core::Part ball_under(const Shape& shape, const Face& face, double& room) {
  const Vec3 middle = middle_of(shape, face);
  Vec3 centre = middle;
  room = 0;
  const auto try_below = [&](double way) {
    const Vec3 p = middle - face.normal * (shape.bounding_radius * way);
    const double depth = -nearest_on_closed(shape, p).distance;
    if (depth > room) {
      room = depth;
      centre = p;
    }
    return depth > 0;
  };
  for (int k = 1; k <= kPlaces; ++k) {
    if (!try_below(static_cast<double>(k) / kPlaces)) break;  // out on the other side
  }
  // A thin shell is passed by the first of them.
  for (int k = 1; k <= kThinner && room == 0; ++k) (void)try_below(std::ldexp(1.0 / kPlaces, -k));
  return room > 0 ? Core::Part{make_sphere("core", kCore * room), centre} : Core::Part{};
}

/// Whether two shapes of as many vertices and faces differ by their size alone.
bool are_similar(const Shape& shape, const Shape& other) {
  constexpr double kRoundOff = 1e-12;  // of the bounding radius
  const double factor = shape.bounding_radius / other.bounding_radius;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
    if ((shape.vertices[v] - factor * other.vertices[v]).norm() > kRoundOff * shape.bounding_radius)
      return false;
  }
  return std::equal(shape.faces.begin(), shape.faces.end(), other.faces.begin(),
                    [](const Face& one, const Face& two) { return one.loop == two.loop; });
}

}  // namespace

Core core_of(const Shape& shape) {
  Core core;
  if (is_wall(shape)) return core;
  if (shape.convex) {
    core.parts.push_back({scaled(shape, "core", kCore)});
    core.margin = margin_of_convex(shape);
    return core;
  }
  core.margin = kInfinity;
  std::vector<std::pair<double, Core::Part>> balls;  // with the room that they have
  for (const int f : faces_all_over(shape)) {
    double room = 0;
    Core::Part part = ball_under(shape, shape.faces[static_cast<std::size_t>(f)], room);
    if (room > 0) balls.emplace_back(room, std::move(part));
  }
  std::stable_sort(balls.begin(), balls.end(),
                   [](const auto& p, const auto& q) { return p.first > q.first; });
  for (auto& [room, part] : balls) {
    const Vec3 centre = part.offset;
    const double radius = part.shape.radius;
    const bool covered = std::any_of(core.parts.begin(), core.parts.end(), [&](const Core::Part& larger) {
      const double apart = (larger.offset - centre).norm();
      return apart < std::max(larger.shape.radius, kNear * shape.bounding_radius) ||
             (apart < kBeside * shape.bounding_radius && radius < kMuchSmaller * larger.shape.radius);
    });
    if (covered) continue;
    core.margin = std::min(core.margin, (1 - kCore) * room);
    core.parts.push_back(std::move(part));
  }
  return core;
}

const Core& Cores::of(int shape) {
  std::shared_ptr<Core>& core = cores_[static_cast<std::size_t>(shape)];
  if (core) return *core;
  const InterruptShield shield;  // made at different times on each rank: none may leave the others alone
  const Shape& own = (*shapes_)[static_cast<std::size_t>(shape)];
  if (own.convex || is_wall(own)) return *(core = std::make_shared<Core>(core_of(own)));
  std::vector<int>& originals = originals_[{own.vertices.size(), own.faces.size()}];
  const auto original = std::find_if(originals.begin(), originals.end(), [&](int other) {
    return are_similar(own, (*shapes_)[static_cast<std::size_t>(other)]);
  });
  if (original == originals.end()) {
    core = std::make_shared<Core>(core_of(own));
    originals.push_back(shape);
    return *core;
  }
  const auto of_other = static_cast<std::size_t>(*original);
  const double factor = own.bounding_radius / (*shapes_)[of_other].bounding_radius;
  core = std::make_shared<Core>();
  core->margin = factor * cores_[of_other]->margin;
  for (const Core::Part& part : cores_[of_other]->parts)
    core->parts.push_back({scaled(part.shape, part.shape.name, factor), factor * part.offset});
  return *core;
}

double Cores::margin_of(int shape) {
  double& margin = margins_[static_cast<std::size_t>(shape)];
  if (margin >= 0) return margin;
  const Shape& own = (*shapes_)[static_cast<std::size_t>(shape)];
  if (own.convex && !is_wall(own)) return margin = margin_of_convex(own);
  const Core& core = of(shape);
  return margin = core.parts.empty() ? kInfinity : core.margin;
}

}  // namespace scree::contact
