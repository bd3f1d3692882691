/// Coulomb friction of one contact and its memory (theory 05).
#pragma once

#include "contact/pair_slip.hpp"

namespace scree::contact {

/// Memory of a contact. A contact born in the step takes over the elastic slip of the contact next to it, so
/// that the memory survives a change of feature (vertex inside a face -> crossing edges, and back).
/// @returns index into pair.history.
int find_or_create_history(BodyPair& pair, const Active& contact, const BodyView& a, const BodyView& b,
                           const InterfaceLaw& law);

/// Stiffnesses of the trial force: f = elastic slip + carried s_c + viscous (viscous slip) [N/m]. Where the
/// stiffness follows the overlap, new stiffness carries no force and lost stiffness takes its share along:
/// carried = min(k, k at the step start), so that neither loading nor unloading makes energy
/// (docs/interface_laws.md, section 4).
struct TrialStiffness {
  double elastic = 0, carried = 0, viscous = 0;
  double elastic_slope = 0, carried_slope = 0, viscous_slope = 0;  ///< derivatives in the gap [N/m^2]
  [[nodiscard]] double both() const { return elastic + viscous; }
};
/// Whether a dashpot acts beside the limit of the spring: not in a step that begins sliding or without
/// contact, so that the force is continuous within a step.
inline bool dashpot_beside(const InterfaceLaw& law, const HistoryEntry& entry) {
  return law.friction.limit == FrictionLimit::spring && !entry.sliding && !entry.fresh;
}

TrialStiffness trial_stiffness(const BodyPair& pair, const Active& contact, const InterfaceLaw& law,
                               const StepContext& step);

/// Return mapping of theory 05 section 3 (unless the law has no limit) into contact.friction; both bodies are
/// acted on at A's image of the contact point, so that the pair exchanges angular momentum exactly.
/// @returns residual wrench on A.
PairWrench friction_force(BodyPair& pair, Active& contact, const BodyView& a, const BodyView& b,
                          const InterfaceLaw& law, const StepContext& step);

/// @returns energy in the tangential and the rolling spring of a contact [J].
double stored_energy(const HistoryEntry& entry, const InterfaceLaw& law);

/// Objective transport of a tangent vector from normal n0 to n1 while the bodies turn by Qa, Qb (theory 05
/// section 2): minimal rotation times the mean twist. @returns zero if the normal turned by more than 60
/// degrees.
Vec3 transport_slip(const Vec3& slip, const Vec3& n0, const Vec3& n1, const Mat3& qa, const Mat3& qb);

}  // namespace scree::contact
