/// What every normal law answers, and what it may know of the two bodies.
#pragma once

namespace scree::contact {

/// What the law says at one gap. Compression is positive. A law that attracts says which part of its force
/// does: the rest, force + adhesion >= 0, is the compression, which limits friction and a dashpot that must
/// not pull.
struct LawValue {
  double energy = 0;          ///< V(g) [J], V' = -force, V(threshold) = 0
  double force = 0;           ///< f(g) [N]
  double slope = 0;           ///< f'(g) [N/m]; <= 0 but where attraction ends
  double dashpot = 0;         ///< 2 zeta sqrt(-f' m) for unit mass: times sqrt(m*) gives N s/m
  double dashpot_slope = 0;   ///< derivative of dashpot in g
  double adhesion = 0;        ///< >= 0 [N]
  double adhesion_slope = 0;  ///< derivative of adhesion in g [N/m]
  double adhesive = 0;        ///< part of the energy [J], whose derivative in g is the adhesion

  [[nodiscard]] double compression() const { return force + adhesion; }
  [[nodiscard]] double compression_slope() const { return slope + adhesion_slope; }
};

/// Effective constants of two bodies under their contact law, made once, when the pair is found.
struct PairConstants {
  double m_star = 0;           ///< effective mass [kg]: that of the body against a boundary
  double r_star = 0;           ///< R* of the rounding radii [m]; 0 where a body has none
  double r_rolling = 0;        ///< that of rolling resistance, which need not have a potential [m]
  double hertz = 0;            ///< 4/3 E* sqrt(R*) [N/m^1.5]
  double tangential = 0;       ///< 8 G* sqrt(R*) [N/m^1.5], by the rule of the interface
  double rolling_inertia = 0;  ///< I_r of [Ai] [kg m^2]
  double share = 0.5;          ///< part of an overlap on A's side of the contact point
};

}  // namespace scree::contact
