/// Coulomb friction of one contact and its history (theory 05).
#pragma once

#include "contact/pair/pair_slip.hpp"

namespace scree::contact {

/// Stiffnesses of the trial force: f = elastic displacement + carried s_c + viscous (viscous slip) [N/m]. A
/// contact holds the part `share` of a spring of stiffness k_n at the step start. Where the stiffness follows
/// the overlap, new stiffness carries no force and lost stiffness takes its share along: carried = min(k,
/// share k_n), so that neither loading nor unloading creates energy (docs/interface_laws.md, section 4;
/// docs/contact.md, section 3).
struct TrialStiffness {
  double elastic = 0, carried = 0, viscous = 0;
  double elastic_slope = 0, carried_slope = 0, viscous_slope = 0;  ///< derivatives in the gap [N/m^2]
  double carried_by_share = 0;                                     ///< derivative in the share [N/m]
  [[nodiscard]] double both() const { return elastic + viscous; }
};
/// Whether a dashpot acts beside the limit of the spring: not in a step that begins sliding or without
/// contact, so that the force is continuous within a step.
inline bool dashpot_beside(const InterfaceLaw& law, const HistoryEntry& entry) {
  return law.friction.limit == FrictionLimit::spring && !entry.sliding && !entry.fresh;
}

TrialStiffness trial_stiffness(const BodyPair& pair, const Active& contact, const InterfaceLaw& law,
                               const StepContext& step);

/// The force that the limit acts on, before it does [N].
Vec3 trial_force(const BodyPair& pair, const Active& contact, const InterfaceLaw& law,
                 const StepContext& step);
/// What the spring of a contact holds of it at the start of the step, seen in the plane of the trial state
/// [N].
Vec3 stored_force(const BodyPair& pair, const Active& contact, const BodyView& a, const BodyView& b,
                  const InterfaceLaw& law, const StepContext& step);

/// Return mapping of theory 05 section 3 (unless the law has no limit) into contact.friction; both bodies are
/// acted on at A's image of the contact point, so that the pair exchanges angular momentum exactly.
/// @returns residual wrench on A.
PairWrench friction_force(BodyPair& pair, Active& contact, const BodyView& a, const BodyView& b,
                          const InterfaceLaw& law, const StepContext& step);

/// @returns energy in the tangential and the rolling spring of a contact [J].
double stored_energy(const HistoryEntry& entry, const InterfaceLaw& law);

}  // namespace scree::contact
