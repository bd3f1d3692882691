/// The linear system of an impact update on 1, 2 and 4 ranks.
#include "solvers/dynamic/impact_system.hpp"

#include <gtest/gtest.h>

#include "solvers/dynamic/body_mobility.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"

namespace scree {
namespace {

using Block = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;

/// Of all velocities [m/s] after an impulse of that size [N s] on each body.
double speed_after(ImpactSystem& system, const Bodies& bodies, double size, std::vector<Vec6>& change) {
  Vec6 impulse = Vec6::Zero();
  impulse.x() = size;
  EXPECT_TRUE(system.solve(std::vector<Vec6>(static_cast<std::size_t>(bodies.owned), impulse), 1e-10, change))
      << size;
  double speed = 0;
  for (int i = 0; i < bodies.owned; ++i) speed += change[static_cast<std::size_t>(i)].norm();
  return speed;
}

TEST(ImpactSystem, SolvesForNextToNothingAfterMore) {
  // Corrections of weights may leave impulses that are round-off of those before.
  for (const int cubes : {3, 16}) {  // by factors, and by iterations
    Model model = test::cubes_on_floor(0, 0);
    for (int k = 0; k < cubes; ++k) test::add_cube(model, {0.3 * k, 0, 1});
    test::StartedProblem started(test::with_energy(model));
    const Bodies& bodies = started.world.bodies();
    ImpactSystem system(started.world);
    system.begin({});
    system.rows().clear_tangent();
    for (int i = 0; i < bodies.owned; ++i) {
      Block diagonal(system.rows().diagonal(i));
      diagonal += inertia_of(bodies.properties[i], bodies.state[i].q.toRotationMatrix());
    }
    system.take_rows();
    std::vector<Vec6> change(static_cast<std::size_t>(bodies.moving()), Vec6::Zero());
    const double whole = speed_after(system, bodies, 1e-2, change);
    for (const double part : {1e-2, 1e-6, 1e-16})
      EXPECT_NEAR(speed_after(system, bodies, 1e-2 * part, change), part * whole, 1e-9 * part * whole);
  }
}

}  // namespace
}  // namespace scree
