#include "contact/secant/closed_places.hpp"

#include <algorithm>
#include <cstddef>

#include "contact/pair/pair_terms.hpp"

namespace scree::contact {
namespace {

/// Normals that make a larger angle are of two contacts, of which one opens and one closes.
constexpr double kOneContact = 0.5;

/// Places at one end of the step.
class PlacesAt {
 public:
  PlacesAt(const std::vector<StepPlace>& places, bool start) : places_(places), start_(start) {}

  [[nodiscard]] bool any_acts(double threshold) const {
    return std::any_of(places_.begin(), places_.end(),
                       [&](const StepPlace& place) { return acts(place, threshold); });
  }
  /// @returns the only place that acts, if it counts once; null if more than one does.
  [[nodiscard]] const StepPlace* only(double threshold) const {
    const StepPlace* only = nullptr;
    for (const StepPlace& place : places_) {
      if (!acts(place, threshold) || (only != nullptr && same(*only, place))) continue;
      const int weight = weight_of(place);
      if (weight == 0) continue;
      if (weight != 1 || only != nullptr) return nullptr;
      only = &place;
    }
    return only;
  }

 private:
  [[nodiscard]] const Term& term(const StepPlace& place) const { return start_ ? place.start : place.end; }
  [[nodiscard]] bool acts(const StepPlace& place, double threshold) const {
    return term(place).gap < threshold;
  }
  [[nodiscard]] bool same(const StepPlace& one, const StepPlace& other) const {
    if ((start_ ? one.at_start : one.at_end) == (start_ ? other.at_start : other.at_end)) return true;
    const Term& p = term(one);
    const Term& q = term(other);
    const double apart = kSamePoint * p.distance;
    return (p.distance * p.n - q.distance * q.n).squaredNorm() <= apart * apart;
  }
  [[nodiscard]] int weight_of(const StepPlace& place) const {
    int weight = 0;
    for (const StepPlace& other : places_) {
      if (same(place, other)) weight += other.weight;
    }
    return weight;
  }

  const std::vector<StepPlace>& places_;
  bool start_;
};

}  // namespace

int place_number(const Shape& surface, const OpenFeature& at) {
  const int feature =
      at.kind == FeatureKind::face ? surface.faces[static_cast<std::size_t>(at.feature)].sheet : at.feature;
  return feature * 3 + static_cast<int>(at.kind);
}

void add_place(std::vector<StepPlace>& places, const StepPlace& place) {
  const auto same = std::find_if(places.begin(), places.end(), [&](const StepPlace& known) {
    return known.at_end == place.at_end && known.at_start == place.at_start;
  });
  if (same != places.end()) {
    same->weight += place.weight;
  } else {
    places.push_back(place);
  }
}

void follow_contact(std::vector<StepPlace>& places, const StepPlace* beyond, double threshold) {
  const auto place_at = [&](bool start) -> const StepPlace* {
    const PlacesAt known(places, start);
    if (known.any_acts(threshold)) return known.only(threshold);
    return beyond;
  };
  if (places.empty() || (places.size() == 1 && beyond == nullptr)) return;
  const StepPlace* first = place_at(true);
  const StepPlace* last = first != nullptr ? place_at(false) : nullptr;
  if (last == nullptr || !(first->start.n.dot(last->end.n) > kOneContact)) return;
  const StepPlace whole{first->at_start, last->at_end, first->start, last->end, 1, first->rule, first->of_b};
  places.assign(1, whole);
}

}  // namespace scree::contact
