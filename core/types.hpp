/// Fixed-size vectors and matrices used everywhere, and the identity of a body.
#pragma once

#include <Eigen/Dense>
#include <cstdint>

namespace scree {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Mat36 = Eigen::Matrix<double, 3, 6>;

/// Number of a body in deck order, the same on every rank and for the whole run.
using BodyId = std::int64_t;

}  // namespace scree
