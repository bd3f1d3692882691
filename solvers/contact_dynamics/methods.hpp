/// The choices of contact dynamics, as a deck names them.
#pragma once

namespace scree::contact_dynamics {

/// Solvers of the LCP of a step (lcp.hpp).
enum class LcpMethod {
  bncg,   ///< TAO: projected nonlinear conjugate gradients
  bqpip,  ///< TAO: interior point; assembles N
  tron,   ///< TAO: trust region on the free contacts
  pgs,    ///< projected Gauss-Seidel on the rows of B; forces depend on the order of contacts
  apgd,   ///< accelerated projected gradients with restart, ends on the face of the loaded contacts;
          ///< the default, quick in static and impact steps
};

/// How forces are made unique (compatibility.hpp): "dual": displacements of the no-tension truss by Newton
/// (the default); "primal": forces by TAO's PDIPM, a check, slower; "none": the forces of the LCP stay.
enum class CompatibilityMethod { dual, primal, none };

}  // namespace scree::contact_dynamics
