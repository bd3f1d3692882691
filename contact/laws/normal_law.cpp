#include "contact/laws/normal_law.hpp"

namespace scree::contact {

NormalLaw::NormalLaw(const NormalParameters& parameters)
    : law_(make_law(parameters)), traits_(&traits_of(parameters)), overlap_(traits_->overlap) {
  dispatch(law_, [this](const auto& law) {
    threshold_ = scale_ = law.threshold();
    no_tension_ = law.no_tension();
    dashpot_is_steep_ = law.dashpot_is_steep();
    curvature_ = law.curvature();
    if constexpr (requires { law.rigid(); }) rigid_ = law.rigid();
  });
}

double NormalLaw::duration(double mass, double speed, const PairConstants& pair) const {
  return dispatch(law_, [&](const auto& law) { return law.duration(mass, speed, pair); });
}

double Interface::threshold() const { return NormalLaw(normal).threshold(); }

}  // namespace scree::contact
