/// Coulomb friction and rolling resistance of a step that never make energy (theory 11 section 5).
#pragma once

#include <limits>

#include "contact/pair/pair_slip.hpp"
#include "contact/pair/slip_tangent.hpp"
#include "contact/secant/facet_over_step.hpp"

namespace scree::contact {

/// Friction of one contact over a step, with the limit of the step before: the gradient of a convex function
/// of the slip. Of rolling resistance rotations take the place of displacements and couples that of forces:
/// [rad] for [m], [N m] for [N].
struct SecantSlip {
  Vec3 n = Vec3::UnitZ();     ///< normal of the plane: the mean one of the step
  Vec3 point = Vec3::Zero();  ///< where it acts on both bodies [m]
  Vec3 kept = Vec3::Zero();   ///< elastic tangential displacement at the step start, cut to the limit [m]
  Vec3 moved = Vec3::Zero();  ///< slip of the step, of a new contact since it touched [m]
  Vec3 trial = Vec3::Zero();  ///< trial force in the middle of it [N]
  Vec3 force = Vec3::Zero();  ///< on B; on A the negative [N]
  double stiffness = 0;       ///< of the spring [N/m]
  double viscosity = 0;       ///< of a dashpot that takes its place, over h [N/m]
  /// Size that `trial` has if the spring is not cut; of one that begins, from zero; infinite: not known [N].
  double uncut = std::numeric_limits<double>::infinity();
  double limit = 0;  ///< [N]
  bool slides = false;

  /// d trial / d moved [N/m].
  [[nodiscard]] double slope() const { return 0.5 * stiffness + viscosity; }
  /// Elastic tangential displacement at the end of the step under a limit [N]. @returns [m].
  [[nodiscard]] Vec3 elastic_end(double under) const;
  /// The same where the limit has grown, or the spring begins, in the step: what it has stored more than
  /// under that limit. @param spring stiffness [N/m]. @param energy [J].
  [[nodiscard]] Vec3 wound_end(double under, double spring, double energy) const;
};

/// @returns mean of the normals at both ends of the first term of a contact, not of unit length.
Vec3 mean_normal(const BodyPair& pair, const Active& contact);

/// Normal of the start of the step, turned by half of the step: friction of two sharp bodies acts across it.
/// It turns with the body whose face it is of, that of edges with the mean of both.
struct CarriedNormal {
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();  ///< its parts at the end, as A and as B carry it
  Vec3 sum = Vec3::Zero();                        ///< of start and end: along it
};
CarriedNormal carried_normal(const Active& contact, const HistoryEntry& source, const BodyOverStep& a,
                             const BodyOverStep& b);

/// @param source history entry whose spring and limit act: of the contact, or of the one that it succeeds;
/// null: none, a new contact. @param b B, or its place where it deforms. @param h time of the step [s].
SecantSlip secant_slip(const BodyPair& pair, const Active& contact, const HistoryEntry* source,
                       const BodyOverStep& a, FacetOverStep& b, const InterfaceLaw& law, double h);

/// Rolling resistance in the same form. @param source, b as above.
SecantSlip secant_roll(const BodyPair& pair, const Active& contact, const HistoryEntry* source,
                       const BodyOverStep& a, FacetOverStep& b, const InterfaceLaw& law);

/// Takes the state of the last evaluation as the next iterate of a solve.
void follow_slip(const SecantSlip& slip, SlipIterate& iterate);

/// d force / d slip in the plane, positive semi-definite. @param iterate of the solve under way, for the
/// primal-dual form (slip_tangent); null: the derivative.
Mat3 slip_stiffness(const SecantSlip& slip, const SlipIterate* iterate);

/// Turns a vector of the plane across n0 into that across n1 without twist; keeps its length.
Vec3 turn_between(const Vec3& v, const Vec3& n0, const Vec3& n1);

}  // namespace scree::contact
