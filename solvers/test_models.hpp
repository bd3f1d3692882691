/// Small models for tests of the solvers.
#pragma once

#include "core/shapes/shape.hpp"
#include "solvers/model.hpp"

namespace scree::test {

/// Cubes of 0.1 m and 2 kg with the law of theory 09 section 1, and a floor at z = 0.
inline Model cubes_on_floor(double damping_ratio, double friction) {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.materials.push_back({"rock", 2000, 0, 0});
  model.shapes.push_back(make_box("block", {0.1, 0.1, 0.1}));
  contact::Interface law;
  law.normal = contact::BarrierParameters{1e-3, 2.8e13, 3, 0.4, -2, damping_ratio};
  law.friction.static_coefficient = law.friction.dynamic_coefficient = friction;
  law.friction.stiffness = 3e5;
  model.interfaces.push_back(law);
  model.interface_of = {{0}};
  BoundaryDescription floor;
  floor.name = "floor";
  model.boundaries.push_back(floor);
  model.boundary_parts.push_back({0, Vec3::Zero(), Vec3::UnitZ()});
  return model;
}

inline void add_cube(Model& model, const Vec3& x, const Quat& q = Quat::Identity(),
                     const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero()) {
  BodyDescription body;
  body.position = x;
  body.orientation = q;
  body.velocity = v;
  body.angular_velocity = w;
  body.mass = 2;
  body.inertia_B = 2 * 0.01 / 6 * Mat3::Identity();
  model.bodies.push_back(body);
}

}  // namespace scree::test
