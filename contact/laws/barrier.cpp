#include "contact/laws/barrier.hpp"

#include <cmath>

#include "contact/laws/restitution.hpp"
#include "contact/laws/restitution_parameters.hpp"
#include "core/text.hpp"

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

Specification BarrierLaw::specification() {
  const BarrierParameters defaults;
  return {kTraits.name,
          "Hybrid penalty and barrier law: force stiffness * (threshold - gap)^exponent below the threshold, "
          "and, below barrier_fraction * threshold, a barrier that diverges as the gap tends to 0, so that "
          "bodies cannot intersect.",
          {
              {.key = "threshold",
               .unit = "m",
               .description = "Activation distance: gap below which the law acts. Recommended: 1 % of a "
                              "body's edge; less than half "
                              "of the smallest feature.",
               .range = range::positive(),
               .required = true},
              {.key = "stiffness",
               .unit = "N/m^exponent",
               .description =
                   "Penalty stiffness. stiffness * ((1 - barrier_fraction) * threshold)^(exponent + 1) / "
                   "(exponent + 1) should be about the energy of a typical impact.",
               .range = range::positive(),
               .required = true},
              {.key = "exponent",
               .unit = "-",
               .description = "Exponent of the penalty force; with damping, 3 or more gives a smooth force.",
               .range = range::at_least(1),
               .fallback = defaults.exponent},
              {.key = "barrier_fraction",
               .unit = "-",
               .description = "Gap at which the barrier begins, as part of the threshold.",
               .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
               .fallback = defaults.barrier_fraction},
              {.key = "barrier_exponent",
               .unit = "-",
               .description = "Exponent of the gap in the barrier energy.",
               .range = {.high = -1},
               .fallback = defaults.barrier_exponent},
              {.key = "damping_ratio",
               .unit = "-",
               .description = "Damping ratio (part of critical damping) of the contact. The normal force is "
                              "limited to compression. Default: 0.",
               .range = range::not_negative(),
               .scope = scope::dashpot()},
              restitution_specification("damping_ratio"),
          },
          true,
          scope::not_contact_dynamics(true, "the law is compliant; use \"rigid\"")};
}

BarrierParameters BarrierLaw::parameters(const Value& values, std::vector<Diagnostic>& faults) {
  refuse_both(values, "damping_ratio", faults);
  BarrierParameters p{.threshold = values.number("threshold"),
                      .stiffness = values.number("stiffness"),
                      .exponent = values.number("exponent"),
                      .barrier_fraction = values.number("barrier_fraction"),
                      .barrier_exponent = values.number("barrier_exponent")};
  if (values.has("damping_ratio")) p.damping_ratio = values.number("damping_ratio");
  if (values.has("restitution")) p.restitution = values.number("restitution");
  if (const char* key = BarrierLaw(p).beyond_precision(); key != nullptr) {
    faults.push_back(
        {values.at(key).where(),
         text::join("got ", text::number(values.number(key)), "; with \"threshold\" ",
                    text::number(p.threshold), " m and \"stiffness\" ", text::number(p.stiffness),
                    " constants of the law are 0 or infinite in double precision; expected a "
                    "value nearer to ",
                    values.number(key) > 0 ? "1." : "-1.")});
  }
  return p;
}

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
  // As under Hertz's law (n1 = 3/2, theory 04, C17): a force x^n1 with a dashpot of a constant part of the
  // critical one has the restitution of a linear contact of zeta sqrt(2 n1 / (n1 + 1)).
  const double linear = std::sqrt(2 * n1_ / (n1_ + 1));
  if (p.restitution) damping_ratio_ = damping_for(*p.restitution, true) / linear;
  restitution_ = p.restitution ? *p.restitution : restitution_of(linear * damping_ratio_, true);
}

const char* BarrierLaw::beyond_precision() const {
  const double slope = stiffness_ * power(threshold_ - inner_, n1_ - 1);
  if (!std::isnormal(slope) || !std::isnormal(inner_energy_)) return "exponent";
  return std::isnormal(barrier_) && std::isfinite(constant_) ? nullptr : "barrier_exponent";
}

LawValue BarrierLaw::at(double gap, const PairConstants& /*pair*/) const {
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
