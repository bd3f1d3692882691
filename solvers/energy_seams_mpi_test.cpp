/// A block that slides from one fixed block onto the next: what is coplanar is as good as one.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "assembly/test_ranks.hpp"
#include "core/test_extremes.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using test::with_energy;
using test_runs::run_model;

constexpr double kSeamGravity = 9.81;

struct Slide {
  double speed = 1, friction = 0.3, restitution = 0.5;
  double step = 0;  ///< of all steps; 0: adaptive up to 10 ms
  double end = 0.2;
};

/// A cube that slides on two coplanar blocks, over their seam at x = 0.1 m.
Model over_a_seam(const Slide& slide) {
  Model model = test::cubes_on_floor(0, slide.friction);
  std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = slide.restitution;
  model.interfaces[0].friction.stiffness = 1e6;
  model.boundaries.clear();
  model.boundary_parts.clear();
  model.shapes.push_back(make_box("half", {0.45, 0.3, 0.1}));
  test::add_cube(model, {0, 0, 0.050944}, Quat::Identity(), {slide.speed, 0, 0});
  for (const double x : {-0.125, 0.325}) {
    test::add_cube(model, {x, 0, -0.05});
    model.bodies.back().shape = 1;
    model.bodies.back().fixed.fill(true);
  }
  model = with_energy(model);
  if (slide.step > 0) {
    model.time.step = slide.step;
  } else {
    model.time = {
        .end = 0, .step = 1e-4, .adaptive = true, .min = 1e-10, .max = 1e-2, .control = StepMode::motion};
  }
  model.time.end = slide.end;
  return model;
}

double speed_after(const Slide& slide, RunReport* report = nullptr) {
  return run_model(over_a_seam(slide), MPI_COMM_SELF, report).velocity(0).x();
}

TEST(EnergySeams, ABlockSlidesOverOneByCoulombsLaw) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "three bodies";
  double worst = 0, worst_plastic = 0;
  for (const double restitution : {0.0, 0.3, 0.5, 0.8}) {
    for (const double step : {0.0, 1e-3, 5e-3}) {
      Slide slide;
      slide.restitution = restitution;
      slide.step = step;
      const double exact = slide.speed - slide.friction * kSeamGravity * slide.end;
      const double off = speed_after(slide) / exact - 1;
      std::printf("restitution %.1f, steps of %g s: off by %.2f %%\n", restitution, step, 100 * off);
      test::keep_largest(restitution > 0 ? worst : worst_plastic, std::abs(off));
    }
  }
  // Half of the speed and more where normals halfway between before and after an edge hold the block up.
  EXPECT_LT(worst, 0.005);
  EXPECT_LT(worst_plastic, 0.005);
}

TEST(EnergySeams, WithoutFrictionItKeepsItsSpeedAndMakesNoEnergy) {
  if (ranks::rank_count() > 1) GTEST_SKIP() << "three bodies";
  double lost = 0, made = 0;
  for (const double speed : {0.3, 1.0, 5.0}) {
    Slide slide;
    slide.friction = 0;
    slide.speed = speed;
    slide.end = 0.15 / speed;
    RunReport report;
    const double after = speed_after(slide, &report);
    std::printf("%.1f m/s: %.5f of it, friction %.1e J\n", speed, after / speed, report.energy.friction_loss);
    test::keep_largest(lost, 1 - after / speed);
    test::keep_largest(made, after / speed - 1);
    EXPECT_EQ(report.energy.friction_loss, 0);
    // The contacts at the seam change within a step: at 40 speeds from 0.2 to 0.6 m/s the largest error
    // is 1.6e-4, and 27 are below 1e-6.
    EXPECT_LT(std::abs(report.energy.closure_error()), 3e-4 * report.energy.reference);
  }
  EXPECT_LT(lost, 0.03);
  EXPECT_LT(made, 1e-4);
}

}  // namespace
}  // namespace scree
