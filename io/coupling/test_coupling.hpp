/// Decks, meshes and motions for tests of coupled runs.
#pragma once

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "core/test_extremes.hpp"
#include "core/text.hpp"
#include "core/types.hpp"
#include "io/coupling/participant.hpp"

namespace scree::coupling {

/// A sheet of n x n squares of two triangles each, over [-0.5, 0.5]^2 m.
struct Sheet {
  explicit Sheet(int n, double bumps = 0) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        const double x = double(i) / n - 0.5, y = double(j) / n - 0.5;
        for (const double c : {x, y, bumps * std::sin(13 * x + 1) * std::cos(11 * y + 2)})
          reference.push_back(c);
      }
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const int k = (n + 1) * j + i;
        for (const int v : {k, k + 1, k + n + 2, k, k + n + 2, k + n + 1}) triangles.push_back(v);
      }
    }
  }
  [[nodiscard]] SurfaceMesh mesh() const { return {reference, {}, triangles}; }
  [[nodiscard]] std::string text() const {
    std::string all = R"("vertices": [)";
    for (std::size_t k = 0; k < reference.size(); k += 3)
      all += (k > 0 ? ", [" : "[") + text::number(reference[k], 17) + ", " +
             text::number(reference[k + 1], 17) + ", " + text::number(reference[k + 2], 17) + "]";
    all += R"(], "faces": [)";
    for (std::size_t k = 0; k < triangles.size(); k += 3)
      all += (k > 0 ? ", [" : "[") + std::to_string(triangles[k]) + ", " + std::to_string(triangles[k + 1]) +
             ", " + std::to_string(triangles[k + 2]) + "]";
    return all + "]";
  }
  std::vector<double> reference;
  std::vector<int> triangles;
};

inline const char* const kBarrier =
    R"("normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e11, "restitution": 0.5},
       "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 3e5})";
inline const char* const kHooke = R"("normal": {"law": "hooke", "stiffness": 2e5, "damping": 20},
                              "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 1e5})";
inline const char* const kHertz =
    R"("normal": {"law": "hertz", "restitution": 0.6}, "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": "mindlin"})";
inline const char* const kDmt =
    R"("normal": {"law": "dmt", "restitution": 0.6, "surface_energy": 1, "range": 1e-3},
       "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 1e5})";

inline const char* const kBall = R"("ball": {"type": "sphere", "radius": 0.05})";
inline const char* const kBlock = R"("block": {"type": "box", "size": [0.1, 0.12, 0.08]})";
inline const char* const kTablet =
    R"("tablet": {"type": "superquadric", "half_axes": [0.06, 0.05, 0.04], "blockiness": [2, 2]})";
inline const char* const kSharp =
    R"("sharp": {"type": "superquadric", "half_axes": [0.06, 0.05, 0.04], "blockiness": [6, 4]})";
/// An L that stands on the ends of both arms, 50 mm below its centre of mass.
inline const char* const kEll = R"("ell": {"type": "polyhedron", "vertices": [
  [0, -0.04, 0], [0.08, -0.04, -0.08], [0.05, -0.04, -0.11], [0, -0.04, -0.06], [-0.05, -0.04, -0.11], [-0.08, -0.04, -0.08],
  [0, 0.04, 0], [0.08, 0.04, -0.08], [0.05, 0.04, -0.11], [0, 0.04, -0.06], [-0.05, 0.04, -0.11], [-0.08, 0.04, -0.08]],
  "faces": [[0, 3, 2, 1], [0, 5, 4, 3], [6, 7, 8, 9], [6, 9, 10, 11],
  [0, 1, 7, 6], [1, 2, 8, 7], [2, 3, 9, 8], [3, 4, 10, 9], [4, 5, 11, 10], [5, 0, 6, 11]]})";

/// A body of each shape above the sheet.
inline std::string deck(const std::string& law, const std::string& shapes, const std::string& bodies,
                        const std::string& surface, const std::string& more = "", double end = 1,
                        const std::string& step = R"({"initial": 1e-5, "min": 1e-10, "max": 1e-3})") {
  return R"({"integrator": {"type": "newmark"}, "time": {"end": )" + text::number(end) + R"(, "step": )" +
         step + R"(}, "gravity": [0, 0, -9.81],
  "solver": {"newton": {"relative": 1e-11}},
  "materials": {"rock": {"density": 2500, "young": 1e7, "poisson": 0.25}}, "shapes": {)" +
         shapes + R"(}, "bodies": [)" + bodies + R"(], "boundaries": [{"name": "plate", "type": "surface",
  "material": "rock", )" +
         surface + R"(}], "interfaces": [{"between": ["*", "*"], )" + law + "}]" + more + "}";
}

/// The same deck with steps that make no energy, of any size.
inline std::string with_energy_steps(std::string text) {
  const std::string newmark = R"({"type": "newmark"})";
  return text.replace(text.find(newmark), newmark.size(), R"({"type": "energy"})");
}

/// The same deck with a plane 0.15 m above the sheet, between which bodies are trapped.
inline std::string with_ceiling(std::string text) {
  const std::string boundaries = R"("boundaries": [)";
  return text.insert(
      text.find(boundaries) + boundaries.size(),
      R"({"name": "ceiling", "type": "plane", "point": [0, 0, 0.15], "normal": [0, 0, -1], "material": "rock"}, )");
}

/// What a test is run with.
struct Scene {
  const char* name;
  std::string law, shapes, bodies;
  bool energy = false;       ///< steps that make none
  Vec3 turn = Vec3::Zero();  ///< angular velocity of a sheet that moves as a rigid body [rad/s]
};
inline std::ostream& operator<<(std::ostream& stream, const Scene& one) { return stream << one.name; }

inline std::string deck_of(const Scene& one, const std::string& surface, double end = 1,
                           const std::string& step = R"({"initial": 1e-5, "min": 1e-10, "max": 1e-3})") {
  const std::string text = deck(one.law, one.shapes, one.bodies, surface, "", end, step);
  return one.energy ? with_energy_steps(text) : text;
}

inline int ranks() {
  int count = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

/// A run in which the two bodies of a scene fall on a sheet, and touch it.
struct Fall {
  Sheet sheet;
  double dt = 1e-3;  ///< of a coupled step [s]
  int steps = 40;
};
/// @param higher by how much the sheet begins nearer to the bodies on more than one rank, where a step takes
/// longer and fewer are taken [m]. @param dt, steps there.
inline Fall fall_on_sheet(int squares, double higher, double dt, int steps) {
  Fall made{.sheet = Sheet(squares, 0.02)};
  if (ranks() == 1) return made;
  for (std::size_t k = 2; k < made.sheet.reference.size(); k += 3) made.sheet.reference[k] += higher;
  made.dt = dt;
  made.steps = steps;
  return made;
}

inline Participant participant(const std::string& text, Options options = {.write_outputs = false}) {
  return Participant::from_text(text, std::filesystem::temp_directory_path() / "coupled.json", MPI_COMM_WORLD,
                                std::move(options));
}

/// States of all bodies, by ID: position and velocity.
inline std::vector<Vec3> bodies_of(const Simulation& simulation, int count) {
  std::vector<Vec3> all(static_cast<std::size_t>(3 * count), Vec3::Zero());
  const Bodies& bodies = simulation.bodies();
  for (int i = 0; i < bodies.owned; ++i) {
    const auto k = static_cast<std::size_t>(3 * bodies.properties[i].id);
    all[k] = bodies.state[i].x;
    all[k + 1] = bodies.state[i].v;
    all[k + 2] = bodies.state[i].q.vec();
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(3 * all.size()), MPI_DOUBLE, MPI_SUM,
                simulation.comm());
  return all;
}

inline double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) test::keep_largest(largest, (a[k] - b[k]).norm());
  return largest;
}

inline const std::string kTwoBalls =
    R"({"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.075], "velocity": [0.1, 0, -1]},
  {"shape": "ball", "material": "rock", "position": [-0.2, 0.1, 0.075], "velocity": [0.3, 0, -0.5]})";
/// Two bodies of a shape, the second one inclined. @param first, second heights of their centres [m].
inline std::string two_of(const std::string& shape, double first, double second) {
  const std::string begin = R"({"shape": ")" + shape + R"(", "material": "rock", "position": )";
  return begin + "[0.03, 0.02, " + text::number(first) + R"(], "velocity": [0.1, 0, -1]}, )" + begin +
         "[-0.2, 0.1, " + text::number(second) +
         R"(], "velocity": [0.3, 0, -0.5], "orientation": {"axis": [1, 1, 0], "angle_deg": 20}})";
}
inline const std::string kTwoBlocks = two_of("block", 0.07, 0.09);
inline const std::string kTwoTablets = two_of("tablet", 0.065, 0.07);
inline const std::string kTwoSharp = two_of("sharp", 0.065, 0.085);
inline const std::string kTwoElls = two_of("ell", 0.078, 0.095);

/// Motion of a sheet as a rigid body, that turns about the origin of its reference.
struct RigidBodyMotion {
  Vec3 velocity, turn;  ///< [m/s], [rad/s]

  [[nodiscard]] std::string text() const {  ///< "motion" of the deck
    const auto list = [](const Vec3& x) {
      return "[" + text::number(x.x(), 17) + ", " + text::number(x.y(), 17) + ", " + text::number(x.z(), 17) +
             "]";
    };
    const std::string turning = R"(, "angular_velocity": )" + list(turn) + R"(, "about": [0, 0, 0])";
    return R"({"velocity": )" + list(velocity) + (turn.isZero(0) ? "" : turning) + "}";
  }
  [[nodiscard]] Mat3 rotation(double t) const {
    return turn.isZero(0) ? Mat3::Identity()
                          : Eigen::AngleAxisd(t * turn.norm(), turn.normalized()).toRotationMatrix();
  }
  [[nodiscard]] std::vector<double> displacements(const std::vector<double>& reference, double t) const {
    const Mat3 change = rotation(t) - Mat3::Identity();
    return of_vertices(reference, [&](const Vec3& x) -> Vec3 { return change * x + t * velocity; });
  }
  [[nodiscard]] std::vector<double> velocities(const std::vector<double>& reference, double t) const {
    const Mat3 turned = rotation(t);
    return of_vertices(reference, [&](const Vec3& x) -> Vec3 { return turn.cross(turned * x) + velocity; });
  }

 private:
  template <class Field>
  static std::vector<double> of_vertices(const std::vector<double>& reference, const Field& field) {
    std::vector<double> all;
    for (std::size_t k = 0; k < reference.size(); k += 3) {
      const Vec3 value = field(Vec3(&reference[k]));
      all.insert(all.end(), value.begin(), value.end());
    }
    return all;
  }
};

/// Displacements of a sheet that bends and stretches in time.
inline std::vector<double> waves(const std::vector<double>& reference, double t, double size) {
  std::vector<double> u;
  for (std::size_t k = 0; k < reference.size(); k += 3) {
    const double x = reference[k], y = reference[k + 1];
    u.push_back(0.2 * size * std::sin(30 * t) * x);
    u.push_back(0.1 * size * std::sin(25 * t) * x * y);
    u.push_back(size * std::sin(40 * t + 3 * x) * std::cos(2 * y));
  }
  return u;
}

}  // namespace scree::coupling
