/// Semismooth Newton for the energy of elastic contacts: SNES with conjugate gradients (theory 07 section 3,
/// linear solvers: theory 10 section 2).
#pragma once

#include <memory>
#include <string>

#include "assembly/callback_guard.hpp"
#include "solvers/contact_dynamics/contact_energy.hpp"
#include "solvers/contact_dynamics/contact_hessian.hpp"
#include "solvers/contact_dynamics/contact_preconditioner.hpp"

namespace scree::contact_dynamics {

/// How a minimisation ended.
struct NewtonReport {
  bool converged = false;
  int newton = 0;
  long krylov = 0;
  double residual = 0;         ///< 2-norm of the gradient [N]
  std::string preconditioner;  ///< what was used, and why where it changed
};

/// Minimises a ContactEnergy. The line search is on the slope of the energy along the update, which for a
/// convex function is enough for convergence from anywhere, and does not drown in round-off as its values do.
class ContactNewton {
 public:
  /// @param energy must outlive this. @param prefix of options, e.g. "scree_compatibility_"; they win over
  /// `wanted`. Collective.
  ContactNewton(ContactEnergy& energy, const std::string& prefix, Preconditioning wanted);

  /// From z to the minimum. @param tolerance of the gradient's 2-norm [N]. @param good_enough of the gradient
  /// where round-off lets it fall no further. @param near whether z is nearly there, so that the first linear
  /// system deserves accuracy. @returns how it went; does not throw where it does not
  /// converge.
  /// @throws RunError where PETSc fails. Collective.
  NewtonReport minimise(Vec z, double tolerance, double good_enough, bool near = false);

  /// A start for `minimise`: displacement under the load where all contacts hold and pull, with the stiffness
  /// of compression `bonded`. Collective.
  void bonded_start(Vec z, double bonded);

  /// Makes what a minimisation makes at its first iteration, so that the preconditioner has read its options
  /// too. The energy has to have a metric. Collective. @throws RunError if PETSc does not take an option.
  void set_up();

  /// From now on z0 follows every iterate: A serves the Hessian alone and biases nothing, a proximal
  /// iteration of one Newton step each.
  void follow() { follows_ = true; }

  [[nodiscard]] ContactEnergy& energy() { return *energy_; }

 private:
  static PetscErrorCode function(SNES snes, Vec z, Vec r, void* context);
  static PetscErrorCode jacobian(SNES snes, Vec z, Mat a, Mat p, void* context);
  static PetscErrorCode converged(SNES snes, PetscInt it, PetscReal x, PetscReal s, PetscReal f,
                                  SNESConvergedReason* reason, void* context);
  static PetscErrorCode line_search(SNESLineSearch search, void* context);
  void search_along(SNESLineSearch search);
  void evaluate(Vec z, Vec r);
  static PetscErrorCode multiply(Mat product, Vec d, Vec result);
  bool judge_linear_solver();
  void set_forcing(bool linear);

  ContactEnergy* energy_;
  ContactHessian hessian_;
  petsc::CallbackGuard guard_;
  std::unique_ptr<ContactPreconditioner> preconditioner_;
  petsc::MatHandle product_;  ///< the Hessian by contacts; its blocks are for the preconditioner
  petsc::SnesHandle snes_;
  petsc::VecHandle residual_;
  double tolerance_ = 0, good_enough_ = 0;
  double residual_now_ = 0, residual_before_ = 0;
  double forcing_ = 0;  ///< of the linear systems: residual left by residual at the start
  double best_ = 0;
  int stalled_ = 0;
  bool follows_ = false;
  std::vector<double> x_, dx_;
};

}  // namespace scree::contact_dynamics
