/// What a contact touches over a step: body B, or, of a surface that deforms, the place under the contact.
#pragma once

#include <cstdint>
#include <optional>

#include "contact/pair/body_over_step.hpp"
#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {

class FacetOverStep {
 public:
  /// @param b outlives this object.
  explicit FacetOverStep(const BodyOverStep& b) : b_(&b) {}
  explicit FacetOverStep(const BodyOverStep&&) = delete;

  /// @returns B as a rigid body that goes in the step as its surface does under a point; a rigid B itself.
  /// The next call ends it. @param key of the contact. @param main its first term at the end of the step.
  /// @param point in the mean configuration [m].
  const BodyOverStep& at(const BodyPair& pair, std::uint64_t key, const Term& main, const Vec3& point);
  /// The same of a contact that has been found.
  const BodyOverStep& at(const BodyPair& pair, const Active& contact, const Vec3& point) {
    return at(pair, contact.key, pair.terms[static_cast<std::size_t>(contact.first)], point);
  }
  /// The same at the point where the first term of the contact acts.
  const BodyOverStep& at(const BodyPair& pair, const Active& contact) {
    return at(pair, contact, pair.secants[static_cast<std::size_t>(contact.first)].point);
  }

  /// Where a point of B that is at `point` at the end of the step was at its start, as the contact has it
  /// [m].
  [[nodiscard]] Vec3 back(const BodyPair& pair, std::uint64_t key, const Term& main, const Vec3& point) const;
  /// Mean direction of the edge of B of a contact of two edges; not of unit length.
  [[nodiscard]] Vec3 mean_edge(std::uint64_t key, const Term& main) const;

  /// B as it is.
  [[nodiscard]] const BodyOverStep& whole() const { return *b_; }
  [[nodiscard]] bool deforms() const { return b_->end.surface != nullptr; }
  /// The place of the last call of `at`, in the mean configuration. @pre deforms().
  [[nodiscard]] const SurfacePlace& place() const { return place_; }

 private:
  const BodyOverStep* b_;
  SurfacePlace place_;
  BodyTrial trial_;
  std::optional<BodyOverStep> facet_;
};

}  // namespace scree::contact
