/// Solids and poses for tests.
#pragma once

#include <random>

#include "geometry.hpp"

namespace intersection {

inline Solid cube(double edge) {
  Solid solid;
  for (int i = 0; i < 8; ++i) {
    const int layer = i / 4;
    const int row = i / 2 % 2;
    solid.vertices.emplace_back((i % 2 - 0.5) * edge, (row - 0.5) * edge, (layer - 0.5) * edge);
  }
  solid.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  solid.prepare();
  return solid;
}

inline Solid ball(double radius) {
  Solid solid;
  solid.radius = radius;
  solid.vertices = {Eigen::Vector3d::Zero()};
  solid.prepare();
  return solid;
}

inline Solid rod(double radius, double length) {
  Solid solid;
  solid.radius = radius;
  solid.vertices = {{0, 0, -length / 2}, {0, 0, length / 2}};
  solid.prepare();
  return solid;
}

inline Pose at(double x, double y, double z) { return {{x, y, z}, Eigen::Quaterniond::Identity()}; }

inline Eigen::Quaterniond turn(double angle, const Eigen::Vector3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

inline Pose random_pose(std::mt19937_64& random, double spread) {
  std::normal_distribution<double> normal;
  Pose pose;
  pose.q = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized();
  pose.x = spread * Eigen::Vector3d(normal(random), normal(random), normal(random));
  return pose;
}

}  // namespace intersection
