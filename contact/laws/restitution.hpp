/// Damping of a contact against its coefficient of restitution, for Hooke and Hertz.
#pragma once

namespace scree::contact {

/// Restitution of a binary collision under m x'' + c x' + k x = 0, zeta = c / (2 sqrt(k m)), from onset to
/// x = 0; with `no_tension` to where the force first vanishes (Schwager and Poeschel, Granular Matter 9,
/// 2007). Hertz's law damped by x^(1/4) has the same restitution for xi = sqrt(5/6) zeta, at any speed
/// (docs/interface_laws.md, section 3). @param zeta >= 0. @returns e in [0, 1].
double restitution_of(double zeta, bool no_tension);

/// Inverse of restitution_of. @param e in [0, 1]; 0 is critical damping, with `no_tension` too, where it
/// leaves exp(-2) = 0.135 of the speed: no finite damping leaves nothing. @returns zeta.
double damping_for(double e, bool no_tension);

}  // namespace scree::contact
