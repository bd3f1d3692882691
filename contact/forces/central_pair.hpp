/// Forces along the line between the poles of two bodies: what bonds and near-field forces share.
///
/// A potential V(d) of the distance d of two poles, d = |q|, q = x_A - x_B, n = q/d, gives the residual V' n
/// of A and -V' n of B, and the tangent V'' n n^T + V'/d (I - n n^T) (theory 04 section 3). It is central:
/// no moments, no blocks of rotation, and momentum and angular momentum of a pair are kept exactly.
///
/// Over a step from q0 to q1 the force along m = (q0 + q1)/(d0 + d1) is (V1 - V0)/(d1 - d0): it does the work
/// V1 - V0, whatever the step (theory 11 section 8).
#pragma once

#include <tuple>
#include <vector>

#include "core/body.hpp"
#include "core/local_system.hpp"

namespace scree::contact {

/// What acts between two poles at one distance.
struct CentralForce {
  double energy = 0;     ///< V [J]
  double slope = 0;      ///< V' [N]: positive attracts
  double curvature = 0;  ///< V'' [N/m]
};

struct CentralPair {
  int a = 0, b = 0;                        ///< local indices; id of a < id of b; no boundaries
  BodyId id_a = 0, id_b = 0;               ///< ids, which stay when bodies move between ranks
  CellNumber image{};                      ///< of B, as in NearPair
  int coupling_ab = -1, coupling_ba = -1;  ///< blocks of the tangent, -1 where the row is not ours
  double rest = 0;                         ///< sum of the radii of two bonded spheres [m]
  double distance = 0;                     ///< of the poles, at the last evaluation [m]
  double change = 0;                       ///< of it over the step, where the force is that of the step [m]
  double length = 0;         ///< that turns the direction: the distance, or the sum of those at both ends [m]
  Vec3 n = Vec3::UnitZ();    ///< from B to A, at the last evaluation
  Vec3 dir = Vec3::UnitZ();  ///< of the force: n, or m, which is not of unit length
  CentralForce force;        ///< at the last evaluation
  Vec3 on_a = Vec3::Zero();  ///< bonds: force on A in the last accepted step, or at the start [N]
  bool stepped = false;      ///< ... of a step
};

/// Order of all lists of pairs.
inline bool ids_before(const CentralPair& p, const CentralPair& q) {
  return std::tie(p.id_a, p.id_b, p.image) < std::tie(q.id_a, q.id_b, q.image);
}

/// Where the poles of a pair are looked at.
enum class Configuration {
  accepted,  ///< start of the step: forces do not depend on the trial state (variational, alpha = 0)
  trial,     ///< trial state
  step       ///< over the step from the accepted to the trial state: forces are secants
};

/// @returns x_A - x_B, of the image of B that A meets [m]. @param where step: at the trial state.
Vec3 separation(const CentralPair& pair, const Bodies& bodies, Configuration where);

/// Sets what is measured of a pair. @throws RecoverableError if the poles coincide.
void measure(CentralPair& pair, const Bodies& bodies, Configuration where);

/// Blocks that the tangent of all pairs needs. @param[out] couplings appended (row, col).
void append_couplings(const std::vector<CentralPair>& pairs, std::vector<LocalSystem::Coupling>& couplings);

/// After LocalSystem::set_couplings: finds each pair's blocks.
void locate_blocks(std::vector<CentralPair>& pairs, const Bodies& bodies, const LocalSystem& system);

/// Adds the forces of the last evaluation to the residual of owned bodies.
void add_residual(const std::vector<CentralPair>& pairs, const Bodies& bodies, LocalSystem& system);

/// Marks the rows of owned bodies whose partner moved. @param moved per body.
void mark_rows(const std::vector<CentralPair>& pairs, const Bodies& bodies, const std::vector<char>& moved,
               std::vector<char>& rows);

/// Adds the derivative of the forces of the last evaluation in the poles, in the rows that are assembled.
void add_tangent(const std::vector<CentralPair>& pairs, LocalSystem& system);

/// Largest force of the last evaluation on this rank [N].
double largest_force(const std::vector<CentralPair>& pairs);
/// The same per local body. @param[in,out] largest raised where it is less.
void raise_largest(const std::vector<CentralPair>& pairs, std::vector<double>& largest);

/// eta / omega of the stiffest pair that is being moved [s], infinity if none; omega^2 = |V''| (1/m_A +
/// 1/m_B). A pair oscillates by less than 5 % of its force's reach V'/V'' sets no limit (docs/contact.md
/// section 6).
double oscillation_limit(const std::vector<CentralPair>& pairs, const Bodies& bodies, double eta, bool all);

/// Energy of the pairs that this rank counts: those whose A it owns [J].
double counted_energy(const std::vector<CentralPair>& pairs, const Bodies& bodies);

}  // namespace scree::contact
