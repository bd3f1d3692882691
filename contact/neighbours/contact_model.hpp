/// What contacts are made of and what never changes: shapes, laws, moduli.
#pragma once

#include <algorithm>
#include <vector>

#include "contact/laws/interface_law.hpp"
#include "contact/pair/pair.hpp"
#include "contact/pair/pair_constants.hpp"
#include "core/body.hpp"

namespace scree::contact {

class ContactModel {
 public:
  /// @param shapes outlive this object; @param interface_of [material][material] -> law, -1: none.
  /// @param materials moduli, for Hertz's law; may be left out where no law needs them.
  ContactModel(const std::vector<Shape>& shapes, std::vector<InterfaceLaw> laws,
               std::vector<std::vector<int>> interface_of, std::vector<Elasticity> materials);

  /// Largest gap at which any law acts [m].
  [[nodiscard]] double largest_threshold() const { return threshold_; }
  /// Length that margins of lists and patterns are measured by [m]: the largest scale of a law.
  [[nodiscard]] double scale() const { return scale_; }
  /// How far candidates of a pair reach beyond what is required, so that lists last some steps [m].
  [[nodiscard]] double feature_skin() const { return feature_skin_; }
  [[nodiscard]] double pair_reach(const InterfaceLaw& law) const {
    return law.normal.threshold() + feature_skin_;
  }

  [[nodiscard]] const std::vector<Shape>& shapes() const { return *shapes_; }
  [[nodiscard]] const Shape& shape_of(const Bodies& bodies, int i) const {
    return (*shapes_)[bodies.properties[i].shape];
  }
  /// [material][material] -> law, -1: none.
  [[nodiscard]] const std::vector<std::vector<int>>& interface_of() const { return interface_of_; }
  [[nodiscard]] const InterfaceLaw& law(const BodyPair& pair) const { return laws_[pair.interface]; }
  /// Whether what decks switch in time is the same at both times [s].
  [[nodiscard]] bool same_switches(double time, double other) const {
    return std::all_of(laws_.begin(), laws_.end(), [&](const InterfaceLaw& law) {
      return law.friction_acts(time) == law.friction_acts(other);
    });
  }
  /// What the constants of a pair follow from.
  [[nodiscard]] Side side(const Bodies& bodies, int i) const;
  /// How far gaps of a pair may be closed beyond zero [m]: not at all under a barrier law; else until the
  /// skeletons that the rounding is about meet; infinite against a plane and from inside of what is
  /// curved.
  [[nodiscard]] double allowed_depth(const BodyPair& pair, const Bodies& bodies) const;

 private:
  const std::vector<Shape>* shapes_;
  std::vector<InterfaceLaw> laws_;
  std::vector<std::vector<int>> interface_of_;
  std::vector<Elasticity> materials_;
  double threshold_ = 0, scale_ = 0, feature_skin_ = 0;
};

}  // namespace scree::contact
