#include "solvers/placement/generator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "contact/geometry/closest_points.hpp"
#include "core/interrupt.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree {
namespace {

constexpr int kTriesAtFirst = 3000;  // for each body, before anything is moved
constexpr int kTriesAfterShaking = 300;
constexpr int kTriesBetweenLooks = 100;  // at requests to stop, of bodies with few vertices
constexpr std::size_t kVerticesBetweenLooks = 100000;
constexpr std::size_t kBodiesBetweenReports = 256;
constexpr int kSweeps = 5;            // of shaking before new tries
constexpr int kIdleRounds = 120;      // of shaking without one more body, then it is given up
constexpr double kLargestMove = 0.2;  // of the bounding radius, and as an angle
constexpr double kUpwards = 0.2;      // probability that a move upwards is looked at
/// Sizes from which bodies grow: the first that finds room.
constexpr double kStarts[] = {0.8, 0.65, 0.5, 0.35};
constexpr double kGrowthOfBodies = 1.01;  // in a sweep, where there is room
/// While they grow, moves are made smaller or larger until about this part of them is possible.
constexpr double kMovesThatSucceed = 0.4;
constexpr double kSmallestMove = 1e-3;
constexpr int kSweepsWithoutGain = 300;
constexpr double kGain = 1e-2;  // of all that is missing: less does not count
/// What is farther away is in the outermost cells: still right, and no longer fast.
constexpr double kFarthestCell = 0x1p62;

}  // namespace

double clearance_of(const Model& model) {
  double clearance = 0;
  for (const auto& interface : model.interfaces) clearance = std::max(clearance, interface.threshold());
  return clearance;
}

std::string RandomNumbers::text() const {
  std::ostringstream stream;
  stream << engine_;
  return stream.str();
}

void RandomNumbers::set(const std::string& text) {
  std::istringstream stream(text);
  stream >> engine_;
  if (!stream) throw std::invalid_argument("RandomNumbers: this is no state of the engine");
}

Vec3 RandomNumbers::in_box(const Vec3& low, const Vec3& high) {
  const double x = uniform(low.x(), high.x());
  const double y = uniform(low.y(), high.y());
  return {x, y, uniform(low.z(), high.z())};
}

Quat RandomNumbers::orientation() {
  // A point of the 4-ball by rejection: square roots only, which every machine rounds alike.
  for (;;) {
    const double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    const double squared = w * w + x * x + y * y + z * z;
    if (squared > 1 || squared < 1e-4) continue;
    const double length = std::sqrt(squared);
    return {w / length, x / length, y / length, z / length};
  }
}

Generator::Generator(const std::vector<Shape>& shapes, std::vector<BoundaryPart> walls, double clearance,
                     const Vec3& gravity)
    : shapes_(shapes), walls_(std::move(walls)), clearance_(clearance) {
  if (gravity.norm() > 0) down_ = gravity.normalized();
  double largest = 0;
  for (const auto& shape : shapes_) {
    axes_.push_back(separation_axes(shape));
    largest = std::max(largest, shape.bounding_radius);
  }
  cell_size_ = 2 * largest + clearance_;
}

void Generator::set_periodic(const PeriodicCell& cell) {
  periodic_ = cell;
  for (const CellNumber& n : cell.neighbours(cell_size_)) ways_.push_back(cell.way_to(n));
  ways_.erase(ways_.begin());  // the body itself
}

void Generator::set_walls(const Model& model, double time,
                          const std::vector<const contact::DeformingSurface*>& surfaces,
                          const Bodies* bodies) {
  walls_.clear();
  curved_walls_.clear();
  for (std::size_t k = 0; k < model.boundary_parts.size(); ++k) {
    const BoundaryPart& part = model.boundary_parts[k];
    const BoundaryDescription& boundary = model.boundaries[part.boundary];
    if (boundary.active_from > time || boundary.active_until <= time) continue;
    if (part.wall >= 0) {
      const bool deforms = !surfaces.empty() && surfaces[k] != nullptr;
      add_wall(deforms ? surfaces[k]->at(0) : model.walls[part.wall], part_state(model, k, time, bodies));
      continue;
    }
    const RigidMotion motion = part_motion(model, k, time, bodies);
    walls_.push_back({part.boundary, motion.place(part.point), motion.rotation * part.normal});
  }
}

void Generator::clear() {
  bodies_.clear();
  cells_.clear();
  obstacles_ = 0;
}

std::optional<PlacedBody> Generator::place_one(int shape, const Vec3& low, const Vec3& high, int tries,
                                               RandomNumbers& random) {
  if (!try_insert(shape, low, high, tries, random)) return std::nullopt;
  return bodies_.back();
}

void Generator::add_obstacle(int shape, const Vec3& x, const Quat& q) {
  insert(place(shapes_[shape], shape, periodic_.wrap(x), q));
  if (bodies_.size() == obstacles_ + 1) obstacles_ = bodies_.size();
}

std::vector<PlacedBody> Generator::generate(const std::vector<int>& shapes, const Vec3& low, const Vec3& high,
                                            std::uint64_t seed) {
  RandomNumbers random(seed);
  InterruptLook look;
  // Small bodies find room between large ones, not the other way round.
  std::vector<std::size_t> order(shapes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    look();
    return shapes_[shapes[i]].bounding_radius > shapes_[shapes[j]].bounding_radius;
  });
  std::vector<int> sorted(order.size());
  std::transform(order.begin(), order.end(), sorted.begin(), [&](std::size_t k) { return shapes[k]; });
  const std::size_t first = bodies_.size();
  reserve(first + sorted.size());
  const auto placed = [&] { return bodies_.size() - first; };
  const auto add_one = [&](int tries) {
    return placed() < sorted.size() && try_insert_watched(sorted[placed()], low, high, tries, random);
  };
  while (add_one(kTriesAtFirst)) {
    if (placed() % kBodiesBetweenReports == 0) listener_(placed(), 1);
  }
  for (int idle = 0; placed() < order.size() && idle < kIdleRounds; ++idle) {
    for (int sweep = 0; sweep < kSweeps; ++sweep)
      shake(static_cast<int>(first), low, high, kLargestMove, true, random);
    while (add_one(kTriesAfterShaking)) idle = 0;
    listener_(placed(), 1);
  }
  if (placed() < order.size()) {
    const std::vector<PlacedBody> shaken(bodies_.begin() + static_cast<std::ptrdiff_t>(first), bodies_.end());
    if (!grow(first, sorted, low, high, random))
      for (const PlacedBody& body : shaken) insert(body);
  }
  std::vector<PlacedBody> found(placed());
  for (std::size_t k = 0; k < found.size(); ++k) {
    look();
    found[found.size() == order.size() ? order[k] : k] = bodies_[first + k];
  }
  return found;
}

std::size_t Generator::CellHash::operator()(const Cell& c) const {
  // Three large primes [Teschner et al. 2003]. The products of unsigned numbers may wrap around.
  const auto x = static_cast<std::size_t>(c.x), y = static_cast<std::size_t>(c.y),
             z = static_cast<std::size_t>(c.z);
  return x * 73856093U ^ y * 19349663U ^ z * 83492791U;
}

Generator::Cell Generator::cell_of(const Vec3& x) const {
  const auto along = [this](double s) {
    return static_cast<std::int64_t>(std::clamp(std::floor(s / cell_size_), -kFarthestCell, kFarthestCell));
  };
  return {along(x.x()), along(x.y()), along(x.z())};
}

void Generator::reserve(std::size_t count) {
  // At least double, so that many small entries do not move all bodies each; a table never shrinks.
  if (count > bodies_.capacity()) bodies_.reserve(std::max(count, 2 * bodies_.capacity()));
  if (count > cells_.bucket_count()) cells_.reserve(std::max(count, 2 * cells_.bucket_count()));
}

void Generator::insert(PlacedBody body) {
  cells_[cell_of(body.x)].push_back(static_cast<int>(bodies_.size()));
  bodies_.push_back(std::move(body));
}

void Generator::move(int number, PlacedBody body) {
  const Cell from = cell_of(bodies_[number].x), to = cell_of(body.x);
  if (!(from == to)) {
    std::erase(cells_[from], number);
    cells_[to].push_back(number);
  }
  bodies_[number] = std::move(body);
}

void Generator::remove_from(std::size_t first) {
  for (std::size_t k = first; k < bodies_.size(); ++k)
    std::erase(cells_[cell_of(bodies_[k].x)], static_cast<int>(k));
  bodies_.resize(first);
}

bool Generator::grow(std::size_t first, const std::vector<int>& shapes, const Vec3& low, const Vec3& high,
                     RandomNumbers& random) {
  bool all = false;
  for (const double start : kStarts) {
    remove_from(first);
    all = std::all_of(shapes.begin(), shapes.end(), [&](int shape) {
      return try_insert_watched(shape, low, high, kTriesAtFirst, random, start);
    });
    if (all) break;
  }
  double move = kLargestMove, best = std::numeric_limits<double>::infinity();
  for (int idle = 0; all && idle < kSweepsWithoutGain; ++idle) {
    const double possible = shake(static_cast<int>(first), low, high, move, false, random);
    move = std::clamp(possible < kMovesThatSucceed ? move / kGrowthOfBodies : move * kGrowthOfBodies,
                      kSmallestMove, kLargestMove);
    double missing = 0;
    for (std::size_t k = first; k < bodies_.size(); ++k) {
      check_interrupt();
      const PlacedBody& body = bodies_[k];
      if (body.scale == 1) continue;
      PlacedBody larger =
          place(shapes_[body.shape], body.shape, body.x, body.q, std::min(1.0, kGrowthOfBodies * body.scale));
      if (fits(larger, static_cast<int>(k))) bodies_[k] = std::move(larger);
      missing += 1 - bodies_[k].scale;
    }
    listener_(shapes.size(), 1 - missing / static_cast<double>(shapes.size()));
    if (missing == 0) return true;
    if (missing < (1 - kGain) * best) {
      best = missing;
      idle = 0;
    }
  }
  remove_from(first);
  return false;
}

void Generator::add_wall(const Shape& shape, const BodyState& place) {
  curved_walls_.emplace_back(&shape, place);
}

bool Generator::clear_of_curved_walls(const PlacedBody& body) const {
  for (const auto& [shape, place] : curved_walls_) {
    const auto distance = [shape = shape, &place = place](const Vec3& p) {
      return contact::distance_to_shape(*shape, place.q.conjugate() * (p - place.x));
    };
    if (shape->hollow_radius == 0) {
      if (distance(body.x) - body.bound < clearance_) return false;
      continue;
    }
    if (body.smooth != nullptr) {
      // On the safe side: its bounding sphere.
      if (distance(body.x) - body.bound < clearance_) return false;
      continue;
    }
    for (const auto& v : body.vertices) {
      if (distance(v) - body.radius < clearance_) return false;
    }
  }
  return true;
}

bool Generator::fits(const PlacedBody& body, int itself) const {
  if (!clear_of_curved_walls(body)) return false;
  for (const auto& wall : walls_) {
    if (lowest_along(body, wall.normal) - wall.normal.dot(wall.point) < clearance_) return false;
  }
  return clear_of_bodies(body, itself) && clear_of_images(body, itself);
}

bool Generator::clear_of_images(const PlacedBody& body, int itself) const {
  return std::all_of(ways_.begin(), ways_.end(), [&](const Vec3& way) {
    const Vec3 x = body.x + way;
    if (!periodic_.is_near(x, cell_size_)) return true;
    PlacedBody image = body;
    image.x = x;
    for (Vec3& v : image.vertices) v += way;
    return clear_of_bodies(image, itself);
  });
}

bool Generator::clear_of_bodies(const PlacedBody& body, int itself) const {
  const Cell centre = cell_of(body.x);
  for (std::int64_t dx = -1; dx <= 1; ++dx) {
    for (std::int64_t dy = -1; dy <= 1; ++dy) {
      for (std::int64_t dz = -1; dz <= 1; ++dz) {
        const auto it = cells_.find({centre.x + dx, centre.y + dy, centre.z + dz});
        if (it == cells_.end()) continue;
        for (const int other : it->second) {
          if (other == itself) continue;
          const PlacedBody& b = bodies_[other];
          if (!separated(body, axes_[body.shape], b, axes_[b.shape], clearance_)) return false;
        }
      }
    }
  }
  return true;
}

bool Generator::try_insert(int shape, const Vec3& low, const Vec3& high, int tries, RandomNumbers& random,
                           double scale) {
  for (int k = 0; k < tries; ++k) {
    const Vec3 x = periodic_.wrap(random.in_box(low, high));
    PlacedBody body = place(shapes_[shape], shape, x, random.orientation(), scale);
    if (!fits(body, -1)) continue;
    insert(std::move(body));
    return true;
  }
  return false;
}

bool Generator::try_insert_watched(int shape, const Vec3& low, const Vec3& high, int tries,
                                   RandomNumbers& random, double scale) {
  const std::size_t vertices = std::max<std::size_t>(shapes_[shape].vertices.size(), 1);
  const int between = std::clamp(static_cast<int>(kVerticesBetweenLooks / vertices), 1, kTriesBetweenLooks);
  for (; tries > 0; tries -= between) {
    check_interrupt();
    if (try_insert(shape, low, high, std::min(tries, between), random, scale)) return true;
  }
  return false;
}

double Generator::shake(int first, const Vec3& low, const Vec3& high, double largest, bool downwards,
                        RandomNumbers& random) {
  int tried = 0, moved_on = 0;
  for (int number = first; number < static_cast<int>(bodies_.size()); ++number) {
    check_interrupt();
    const PlacedBody& body = bodies_[number];
    const double reach = largest * body.bound;
    const Vec3 step = random.in_box(Vec3::Constant(-reach), Vec3::Constant(reach));
    const Vec3 turn = random.in_box(Vec3::Constant(-largest), Vec3::Constant(largest));
    const bool look = random.uniform() < kUpwards;
    if (downwards && down_.dot(step) < 0 && !look) continue;
    ++tried;
    const Vec3 x = periodic_.wrap(body.x + step);
    // From the region's corner to the first image beyond it.
    Vec3 inside = x - low;
    for (int k = 0; k < 3; ++k) {
      const double period = periodic_.length[k];
      if (period > 0) inside[k] -= period * std::floor(inside[k] / period);
    }
    if (inside.minCoeff() < 0 || (high - low - inside).minCoeff() < 0) continue;
    const Quat increment = Quat(1, 0.5 * turn.x(), 0.5 * turn.y(), 0.5 * turn.z()).normalized();
    PlacedBody moved =
        place(shapes_[body.shape], body.shape, x, (increment * body.q).normalized(), body.scale);
    if (!fits(moved, number)) continue;
    move(number, std::move(moved));
    ++moved_on;
  }
  return tried > 0 ? static_cast<double>(moved_on) / tried : 0;
}

}  // namespace scree
