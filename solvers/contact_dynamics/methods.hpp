/// The choices of contact dynamics, as a deck names them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree::contact_dynamics {

/// Solvers of the LCP of a step (lcp.hpp).
enum class LcpMethod {
  bncg,       ///< TAO: projected nonlinear conjugate gradients
  bqpip,      ///< TAO: interior point; assembles N
  tron,       ///< TAO: trust region on the free contacts
  pgs,        ///< projected Gauss-Seidel on the rows of B; forces depend on the order of contacts
  apgd,       ///< accelerated projected gradients with restart, ends on the face of the loaded contacts;
              ///< quick in static and impact steps
  newton,     ///< method of multipliers, Newton within: where contacts hold each other
  automatic,  ///< the default: apgd, and where that does not get there newton from its forces
};

/// Methods that compute compatible forces (compatibility.hpp): "dual": displacements of the no-tension truss
/// by Newton (the default); "primal": forces by TAO's PDIPM or ALMM, a check, slower; "none": the forces of
/// the LCP stay.
enum class CompatibilityMethod { dual, primal, none };

/// The name a user gives a method, and all of them, the default first.
[[nodiscard]] std::string_view name_of(LcpMethod method);
[[nodiscard]] std::string_view name_of(CompatibilityMethod method);
[[nodiscard]] std::vector<std::string> lcp_names();
[[nodiscard]] std::vector<std::string> compatibility_names();
/// @throws InputError at `where` for an unknown name; the message lists the valid ones.
[[nodiscard]] LcpMethod lcp_method(std::string_view wanted, const std::string& where);
[[nodiscard]] CompatibilityMethod compatibility_method(std::string_view wanted, const std::string& where);

}  // namespace scree::contact_dynamics
