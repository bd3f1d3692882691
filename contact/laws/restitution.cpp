#include "contact/laws/restitution.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace scree::contact {
namespace {

/// -ln e with the clamp. Schwager and Poeschel give it in three branches; with zeta = cos(a) they are one.
double loss_without_tension(double zeta) {
  const double away = 1 - zeta;
  if (std::abs(away) < 1e-12) return 2;
  const double root = std::sqrt(std::abs(away * (1 + zeta)));
  return 2 * zeta * (zeta < 1 ? std::acos(zeta) : std::acosh(zeta)) / root;
}

}  // namespace

double restitution_of(double zeta, bool no_tension) {
  if (no_tension) return std::exp(-loss_without_tension(zeta));
  return zeta < 1 ? std::exp(-std::numbers::pi * zeta / std::sqrt((1 - zeta) * (1 + zeta))) : 0.0;
}

double damping_for(double e, bool no_tension) {
  if (e <= 0) return 1;
  const double loss = -std::log(e);
  if (!no_tension) return loss / std::hypot(std::numbers::pi, loss);  // theory 04, C17
  double low = 0;
  double high = 1;
  while (loss_without_tension(high) < loss) high *= 2;
  while (high - low > 2 * std::numeric_limits<double>::epsilon() * high) {
    const double middle = 0.5 * (low + high);
    (loss_without_tension(middle) < loss ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace scree::contact
