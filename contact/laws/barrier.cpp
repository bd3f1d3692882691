#include "contact/laws/barrier.hpp"

#include <cmath>

namespace scree::contact {
namespace {

/// pow with the usual whole exponents done by multiplication: this is in the hot path.
double power(double x, double n) {
  if (n == 0) return 1;
  if (n == 1) return x;
  if (n == 2) return x * x;
  if (n == 3) return x * x * x;
  if (n == 4) return (x * x) * (x * x);
  if (n == -1) return 1 / x;
  if (n == -2) return 1 / (x * x);
  if (n == -3) return 1 / (x * x * x);
  if (n == -4) return 1 / ((x * x) * (x * x));
  return std::pow(x, n);
}

}  // namespace

BarrierLaw::BarrierLaw(const BarrierParameters& p)
    : threshold_(p.threshold),
      inner_(p.barrier_fraction * p.threshold),
      stiffness_(p.stiffness),
      n1_(p.exponent),
      n2_(p.barrier_exponent),
      damping_ratio_(p.damping_ratio) {
  // Value and slope match at the inner gap: [Poly, Eq. 51].
  const double width = threshold_ - inner_;
  barrier_ = -stiffness_ * n1_ * power(width, n1_ - 1) / (n2_ * power(inner_, n2_ - 1));
  constant_ = stiffness_ * power(width, n1_) - barrier_ * power(inner_, n2_);
  inner_energy_ = stiffness_ * power(width, n1_ + 1) / (n1_ + 1);
}

LawValue BarrierLaw::at(double gap) const {
  LawValue value;
  if (!(gap < threshold_)) return value;
  double curvature = 0;  // f''
  if (gap >= inner_) {
    const double x = threshold_ - gap;
    value.force = stiffness_ * power(x, n1_);
    value.slope = -stiffness_ * n1_ * power(x, n1_ - 1);
    curvature = n1_ == 1 ? 0 : stiffness_ * n1_ * (n1_ - 1) * power(x, n1_ - 2);
    value.energy = value.force * x / (n1_ + 1);
  } else {
    const double tail = barrier_ * power(gap, n2_);
    value.force = tail + constant_;
    value.slope = n2_ * tail / gap;
    curvature = n2_ * (n2_ - 1) * tail / (gap * gap);
    value.energy = inner_energy_ + constant_ * (inner_ - gap);
    value.energy += n2_ == -1 ? barrier_ * std::log(inner_ / gap)
                              : barrier_ * (power(inner_, n2_ + 1) - power(gap, n2_ + 1)) / (n2_ + 1);
  }
  if (damping_ratio_ > 0) {
    // [Poly, Eq. 52] for unit effective mass.
    const double root = std::sqrt(-value.slope);
    value.dashpot = 2 * damping_ratio_ * root;
    value.dashpot_slope = root > 0 ? -damping_ratio_ * curvature / root : 0;
  }
  return value;
}

}  // namespace scree::contact
