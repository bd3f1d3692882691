#include "contact/laws/normal_law.hpp"

#include <limits>

namespace scree::contact {
namespace {

std::variant<BarrierLaw, HookeLaw, HertzLaw, RigidParameters> law_of(const Interface& interface) {
  if (const auto* hooke = std::get_if<HookeParameters>(&interface.overlap)) return HookeLaw(*hooke);
  if (const auto* hertz = std::get_if<HertzParameters>(&interface.overlap)) return HertzLaw(*hertz);
  if (const auto* rigid = std::get_if<RigidParameters>(&interface.overlap)) return *rigid;
  return BarrierLaw(interface.normal);
}

}  // namespace

NormalLaw::NormalLaw(const Interface& interface)
    : law_(law_of(interface)), threshold_(interface.threshold()), scale_(interface.threshold()) {
  if (const auto* hooke = std::get_if<HookeLaw>(&law_)) no_tension_ = hooke->no_tension();
  if (const auto* hertz = std::get_if<HertzLaw>(&law_)) no_tension_ = hertz->no_tension();
}

double NormalLaw::duration(double mass, double speed, const PairConstants& pair) const {
  if (const auto* hooke = std::get_if<HookeLaw>(&law_)) return hooke->duration(mass);
  if (const auto* hertz = std::get_if<HertzLaw>(&law_)) return hertz->duration(mass, speed, pair);
  return std::numeric_limits<double>::infinity();
}

}  // namespace scree::contact
