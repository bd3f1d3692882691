/// Bodies at random places with random orientations, without overlap.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "contact/surface/deforming_surface.hpp"
#include "solvers/model.hpp"
#include "solvers/placement/convex_separation.hpp"
#include "solvers/placement/room.hpp"

namespace scree {

/// Numbers that are the same on every machine: the standard fixes the engine but not its distributions.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed = 1) : engine_(seed) {}
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  ///< in [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  Vec3 in_box(const Vec3& low, const Vec3& high);
  Quat orientation();  ///< uniform over all rotations

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    std::string text;
    if constexpr (std::is_const_v<Self>) text = self.text();
    archive("engine", text, "");
    if constexpr (!std::is_const_v<Self>) self.set(text);
  }

 private:
  [[nodiscard]] std::string text() const;
  void set(const std::string& text);

  std::mt19937_64 engine_;
};

/// @returns the distance that bodies of a model keep when they are placed: the largest threshold [m], 0 where
/// all laws act at overlap.
double clearance_of(const Model& model);

/// Random sequential addition; where it stalls, the bodies generated so far are shaken down to make room;
/// where that is not enough, all of them start small and grow while they are shaken (as Lubachevsky and
/// Stillinger (1990) let disks grow between collisions, but by random moves, which serve any shape).
class Generator {
 public:
  /// @param shapes of the model. @param walls planes that bodies stay clear of.
  /// @param clearance [m] between any two bodies, and to the walls. @param gravity where "down" is.
  Generator(const std::vector<Shape>& shapes, std::vector<BoundaryPart> walls, double clearance,
            const Vec3& gravity);

  /// Bodies are put into the cell and stay clear of each other's images. Before anything is added.
  void set_periodic(const PeriodicCell& cell);

  /// Bodies stay clear of the boundaries that act at `time` [s], in place of all walls before.
  /// @param surfaces per boundary part where its vertices are now, as Surfaces::by_part returns them;
  /// nothing: coupled boundaries are at rest. They outlive the placements that follow.
  /// @param bodies of the state at that time, which has the boundaries that do not move; null: the deck has.
  void set_walls(const Model& model, double time,
                 const std::vector<const contact::DeformingSurface*>& surfaces = {},
                 const Bodies* bodies = nullptr);

  /// Callback for the progress of generate(), called many times: how many bodies are placed, and their mean
  /// size as part of what it shall be (1 unless they grow).
  using Listener = std::function<void(std::size_t placed, double size)>;
  void tell(Listener listener) { listener_ = std::move(listener); }

  /// Forgets all bodies.
  void clear();

  /// Adds a curved wall or surface that bodies stay clear of: from inside exactly, from outside by their
  /// bounding spheres. @param place its position and orientation.
  void add_wall(const Shape& shape, const BodyState& place);

  /// Adds a body that stays where it is.
  void add_obstacle(int shape, const Vec3& x, const Quat& q);

  /// @returns whether bodies of the given shapes can fit with their poles in [low, high], beside those
  /// generated before.
  [[nodiscard]] Room room(const std::vector<int>& shapes, const Vec3& low, const Vec3& high) const {
    return room_for(shapes_, shapes, low, high, bodies_, obstacles_, walls_, clearance_, periodic_);
  }

  /// Places bodies of the given shapes with their poles in [low, high], the largest first.
  /// @returns the bodies in the order of `shapes`; if not all were found to fit, those that did.
  /// @throws Interrupted on this rank if the user asked to stop.
  std::vector<PlacedBody> generate(const std::vector<int>& shapes, const Vec3& low, const Vec3& high,
                                   std::uint64_t seed);

  /// Places one body with its pole in [low, high], without moving others. @param tries until it is given up.
  /// @returns it, nothing if no room was found.
  std::optional<PlacedBody> place_one(int shape, const Vec3& low, const Vec3& high, int tries,
                                      RandomNumbers& random);

 private:
  struct Cell {
    std::int64_t x, y, z;
    bool operator==(const Cell&) const = default;
  };
  struct CellHash {
    std::size_t operator()(const Cell& c) const;
  };

  [[nodiscard]] Cell cell_of(const Vec3& x) const;
  /// Makes space for so many bodies at once: moving millions of them takes seconds without a look at requests
  /// to stop.
  void reserve(std::size_t count);
  void insert(PlacedBody body);
  void move(int number, PlacedBody body);
  /// @returns whether the body keeps the clearance to walls and all bodies but `itself`.
  [[nodiscard]] bool fits(const PlacedBody& body, int itself) const;
  [[nodiscard]] bool clear_of_bodies(const PlacedBody& body, int itself) const;
  [[nodiscard]] bool clear_of_images(const PlacedBody& body, int itself) const;
  [[nodiscard]] bool clear_of_curved_walls(const PlacedBody& body) const;
  /// @returns whether one was found within so many tries.
  bool try_insert(int shape, const Vec3& low, const Vec3& high, int tries, RandomNumbers& random,
                  double scale = 1);
  /// The same with looks at requests to stop, the more the finer the mesh: for work without communication.
  bool try_insert_watched(int shape, const Vec3& low, const Vec3& high, int tries, RandomNumbers& random,
                          double scale = 1);
  /// Small random moves of the bodies from `first` on. @param largest move, of the bounding radius and as an
  /// angle. @param downwards rather than upwards. @returns which part of the moves was possible.
  double shake(int first, const Vec3& low, const Vec3& high, double largest, bool downwards,
               RandomNumbers& random);
  /// Takes back all bodies from `first` on.
  void remove_from(std::size_t first);
  /// In place of the bodies from `first` on, those of `shapes`, grown from small ones. @returns whether all
  /// got their size; otherwise none is left.
  bool grow(std::size_t first, const std::vector<int>& shapes, const Vec3& low, const Vec3& high,
            RandomNumbers& random);

  const std::vector<Shape>& shapes_;
  std::vector<SeparationAxes> axes_;
  std::vector<BoundaryPart> walls_;
  std::vector<std::pair<const Shape*, BodyState>> curved_walls_;  ///< shapes of the caller
  PeriodicCell periodic_;
  std::vector<Vec3> ways_;  ///< to the images of a body that may meet one in the cell
  double clearance_;
  Listener listener_ = [](std::size_t, double) {};
  Vec3 down_ = Vec3::Zero();
  double cell_size_ = 1;
  std::vector<PlacedBody> bodies_;
  std::size_t obstacles_ = 0;  ///< the first bodies: those that stay where they are
  std::unordered_map<Cell, std::vector<int>, CellHash> cells_;
};

}  // namespace scree
