#include "solvers/contact_dynamics/compatibility_primal.hpp"

#include <algorithm>
#include <cmath>

#include "assembly/callback_guard.hpp"
#include "assembly/ghosted_vec.hpp"
#include "core/error.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kSolvingPrimal = "looking for compatible forces in the primal form";
constexpr const char* kOptionsOfPrimal = "reading options for compatible forces in the primal form";

std::string prefix_of(const ContactEnergy& energy) {
  return energy.problem().options_prefix + "compatibility_primal_";
}

/// PDIPM starts within the bounds: this part of the typical force is put under every contact.
constexpr double kInside = 1e-2;
/// Below this part of the largest force a contact is not loaded, for the recovery of displacements: interior
/// points leave about the square root of their tolerance on contacts that are just not.
constexpr double kLoaded = 1e-6;
/// Up to so many contacts by the method of multipliers (theory 07 section 3: small cases only). 27 take it
/// 0.5 s, 80 1.5 s, PDIPM 0.01 s, which however does not converge on several ranks.
constexpr long kFew = 12, kFewOnRanks = 50;
/// What the gradient and the balance reach in the inner solver's differences, in scaled units.
constexpr double kFewTolerance = 1e-10;
constexpr PetscInt kMostInner = 1000;

/// A minimiser of TAO. @param prefix of its options. @param few contacts.
petsc::TaoHandle create_minimiser(MPI_Comm comm, const std::string& prefix, bool few) {
  petsc::TaoHandle tao;
  check(TaoCreate(comm, tao.put()), kSolvingPrimal);
  check(TaoSetOptionsPrefix(tao, prefix.c_str()), kSolvingPrimal);
  check(TaoSetType(tao, few ? TAOALMM : TAOPDIPM), kSolvingPrimal);
  return tao;
}

/// TAO's method of multipliers finds the minimum between two updates by a solver that wants Hessians, which
/// it does not require, unless disabled (theory 07 section 3, traps).
void prepare_multipliers(Tao tao) {
  PetscBool multipliers = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(tao), TAOALMM, &multipliers), kSolvingPrimal);
  if (!multipliers) return;
  Tao inner = nullptr;
  check(TaoALMMGetSubsolver(tao, &inner), kSolvingPrimal);
  check(TaoSetType(inner, TAOBQNLS), kSolvingPrimal);
  check(TaoSetMaximumIterations(inner, kMostInner), kSolvingPrimal);
  check(TaoSetFromOptions(inner), kOptionsOfPrimal);
}

void read_options_of_minimiser(Tao tao, const std::string& prefix) {
  petsc::set_default(prefix, "tao_almm_mu_max", "1e6",
                     kSolvingPrimal);  // beyond, it drowns the forces (theory 07)
  check(TaoSetFromOptions(tao), kOptionsOfPrimal);
  prepare_multipliers(tao);
}

/// The problem in forces divided by `force` and compressions divided by `compression`.
class Primal {
 public:
  Primal(ContactEnergy& energy, Vec load, double force, bool few);
  PrimalReport solve(std::vector<double>& f);
  void recover(const std::vector<double>& f, Vec u) const;

 private:
  static PetscErrorCode objective(Tao tao, Vec f, PetscReal* value, Vec gradient, void* context);
  static PetscErrorCode curvature(Tao tao, Vec f, Mat hessian, Mat p, void* context);
  static PetscErrorCode balance(Tao tao, Vec f, Vec result, void* context);
  static PetscErrorCode unchanged(Tao /*tao*/, Vec /*f*/, Mat /*j*/, Mat /*p*/, void* /*context*/) {
    return 0;
  }
  void number_equations();

  ContactEnergy* energy_;
  petsc::CallbackGuard guard_;
  double force_, compression_ = 0;
  bool few_;                        ///< contacts, so that the method of multipliers is quick
  std::vector<int> unknown_;        ///< of this rank's equations: the owned unknown it balances
  std::vector<PetscInt> equation_;  ///< of every unknown of bodies and ghosts; -1: none
  petsc::MatHandle transposed_;     ///< B^T on what contacts touch
  petsc::MatHandle hessian_;
  petsc::VecHandle load_, per_contact_, upper_;
};

Primal::Primal(ContactEnergy& energy, Vec load, double force, bool few)
    : energy_(&energy), guard_(energy.problem().comm), force_(force), few_(few) {
  for (const ElasticLaw& law : energy.laws())
    compression_ = std::max(compression_, compression_of(law, force));
  MPI_Comm comm = energy.problem().comm;
  MPI_Allreduce(MPI_IN_PLACE, &compression_, 1, MPI_DOUBLE, MPI_MAX, comm);
  number_equations();
  const auto contacts = static_cast<PetscInt>(energy.contacts().size());
  const auto equations = static_cast<PetscInt>(unknown_.size());
  check(MatCreate(comm, transposed_.put()), kSolvingPrimal);
  check(MatSetSizes(transposed_, equations, contacts, PETSC_DETERMINE, PETSC_DETERMINE), kSolvingPrimal);
  check(MatSetType(transposed_, MATAIJ), kSolvingPrimal);
  check(MatSeqAIJSetPreallocation(transposed_, 30, nullptr), kSolvingPrimal);
  check(MatMPIAIJSetPreallocation(transposed_, 30, nullptr, 15, nullptr), kSolvingPrimal);
  check(MatSetOption(transposed_, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE), kSolvingPrimal);
  check(MatCreateVecs(transposed_, per_contact_.put(), load_.put()), kSolvingPrimal);
  PetscInt column = 0;
  check(VecGetOwnershipRange(per_contact_, &column, nullptr), kSolvingPrimal);
  const int block = energy.block();
  for (std::size_t i = 0; i < energy.contacts().size(); ++i, ++column) {
    const Constraint& contact = energy.problem().constraints[energy.contacts()[i]];
    const auto put = [&](int body, const double* entries) {
      for (int k = 0; body >= 0 && k < block; ++k)
        if (entries[k] != 0)
          check(MatSetValue(transposed_, equation_[static_cast<std::size_t>(block) * body + k], column,
                            entries[k], INSERT_VALUES),
                kSolvingPrimal);
    };
    put(contact.a, energy.row(i, 0));
    put(contact.b, energy.row(i, 0) + block);
  }
  check(MatAssemblyBegin(transposed_, MAT_FINAL_ASSEMBLY), kSolvingPrimal);
  check(MatAssemblyEnd(transposed_, MAT_FINAL_ASSEMBLY), kSolvingPrimal);
  {
    const petsc::ConstVecValues from(load);
    const petsc::VecValues to(load_);
    for (std::size_t e = 0; e < unknown_.size(); ++e) to.data()[e] = from.data()[unknown_[e]] / force_;
  }
  check(MatCreate(comm, hessian_.put()), kSolvingPrimal);
  check(MatSetSizes(hessian_, contacts, contacts, PETSC_DETERMINE, PETSC_DETERMINE), kSolvingPrimal);
  check(MatSetType(hessian_, MATAIJ), kSolvingPrimal);
  check(MatSeqAIJSetPreallocation(hessian_, 1, nullptr), kSolvingPrimal);
  check(MatMPIAIJSetPreallocation(hessian_, 1, nullptr, 0, nullptr), kSolvingPrimal);
}

/// Forces are asked to balance where a contact has a lever at all; elsewhere there is nothing to balance, and
/// an equation 0 = 0 would make the system singular.
void Primal::number_equations() {
  const StepProblem& problem = energy_->problem();
  const int block = energy_->block();
  const petsc::VecHandle marks = energy_->displacements();
  energy_->touched(marks);
  PetscInt first = 0;
  {
    const petsc::VecValues mark(marks);
    for (int k = 0; k < block * problem.owned; ++k)
      if (mark.data()[k] > 0) unknown_.push_back(k);
    const auto count = static_cast<PetscInt>(unknown_.size());
    MPI_Scan(&count, &first, 1, MPIU_INT, MPI_SUM, problem.comm);
    first -= count;
    std::fill_n(mark.data(), static_cast<std::size_t>(block) * problem.owned, -1.0);
    for (const int k : unknown_) mark.data()[k] = static_cast<double>(first++);
  }
  petsc::copy_owners_to_ghosts(marks, kSolvingPrimal);
  const petsc::LocalForm local(marks);
  const petsc::ConstVecValues mark(local);
  for (std::size_t k = 0; k < problem.bodies.size() * block; ++k)
    equation_.push_back(static_cast<PetscInt>(std::lround(mark.data()[k])));
}

PetscErrorCode Primal::objective(Tao /*tao*/, Vec f, PetscReal* value, Vec gradient, void* context) {
  Primal& me = *static_cast<Primal*>(context);
  const auto outcome = me.guard_.run([&] {
    double mine = 0;
    {
      const petsc::ConstVecValues from(f);
      const petsc::VecValues to(gradient);
      for (std::size_t i = 0; i < me.energy_->laws().size(); ++i) {
        const ElasticLaw& law = me.energy_->laws()[i];
        const double force = std::max(0.0, from.data()[i]);
        const double c = compression_of(law, force * me.force_) / me.compression_;
        to.data()[i] = c;
        mine += law.exponent / (law.exponent + 1) * force * c;  // (p - 1) / p f c(f)
      }
    }
    MPI_Allreduce(&mine, value, 1, MPI_DOUBLE, MPI_SUM, me.energy_->problem().comm);
  });
  return outcome == petsc::CallbackGuard::Outcome::done ? 0 : PETSC_ERR_USER;
}

PetscErrorCode Primal::curvature(Tao /*tao*/, Vec f, Mat hessian, Mat /*p*/, void* context) {
  Primal& me = *static_cast<Primal*>(context);
  const auto outcome = me.guard_.run([&] {
    {
      const petsc::ConstVecValues from(f);
      const petsc::VecValues to(me.per_contact_);
      for (std::size_t i = 0; i < me.energy_->laws().size(); ++i) {
        const ElasticLaw& law = me.energy_->laws()[i];
        const double force = std::max(1e-12, from.data()[i]);
        to.data()[i] = compression_of(law, force * me.force_) / me.compression_ / (law.exponent * force);
      }
    }
    check(MatDiagonalSet(hessian, me.per_contact_, INSERT_VALUES), kSolvingPrimal);
  });
  return outcome == petsc::CallbackGuard::Outcome::done ? 0 : PETSC_ERR_USER;
}

PetscErrorCode Primal::balance(Tao /*tao*/, Vec f, Vec result, void* context) {
  Primal& me = *static_cast<Primal*>(context);
  const auto outcome = me.guard_.run([&] {
    check(MatMult(me.transposed_, f, result), kSolvingPrimal);
    check(VecAXPY(result, -1, me.load_), kSolvingPrimal);
  });
  return outcome == petsc::CallbackGuard::Outcome::done ? 0 : PETSC_ERR_USER;
}

PrimalReport Primal::solve(std::vector<double>& f) {
  MPI_Comm comm = energy_->problem().comm;
  petsc::VecHandle x, lower, upper, constraint;
  check(MatCreateVecs(transposed_, x.put(), constraint.put()), kSolvingPrimal);
  check(VecDuplicate(x, lower.put()), kSolvingPrimal);
  check(VecDuplicate(x, upper.put()), kSolvingPrimal);
  check(VecSet(lower, 0), kSolvingPrimal);
  check(VecSet(upper, PETSC_INFINITY), kSolvingPrimal);
  {
    const petsc::VecValues to(x);
    // Of a small start TAO makes a small penalty, and of that a function so large that the forces' part of it
    // is lost in round-off: multipliers start from the typical force under every contact.
    for (std::size_t i = 0; i < f.size(); ++i) to.data()[i] = few_ ? 1 : f[i] / force_ + kInside;
  }
  check(VecSet(per_contact_, 1), kSolvingPrimal);
  check(MatDiagonalSet(hessian_, per_contact_, INSERT_VALUES), kSolvingPrimal);

  const petsc::TaoHandle tao = create_minimiser(comm, prefix_of(*energy_), few_);
  check(TaoSetSolution(tao, x), kSolvingPrimal);
  check(TaoSetObjectiveAndGradient(tao, nullptr, objective, this), kSolvingPrimal);
  check(TaoSetHessian(tao, hessian_, hessian_, curvature, this), kSolvingPrimal);
  check(TaoSetVariableBounds(tao, lower, upper), kSolvingPrimal);
  check(TaoSetEqualityConstraintsRoutine(tao, constraint, balance, this), kSolvingPrimal);
  check(TaoSetJacobianEqualityRoutine(tao, transposed_, transposed_, unchanged, this), kSolvingPrimal);
  check(TaoSetTolerances(tao, few_ ? kFewTolerance : 1e-12, few_ ? 0 : 1e-12, 0), kSolvingPrimal);
  check(TaoSetConstraintTolerances(tao, few_ ? kFewTolerance : 1e-13, 0), kSolvingPrimal);
  check(TaoSetMaximumIterations(tao, 200), kSolvingPrimal);
  read_options_of_minimiser(tao, prefix_of(*energy_));
  const PetscErrorCode code = TaoSolve(tao);
  guard_.rethrow_kept();
  check(code, kSolvingPrimal);

  PrimalReport report;
  TaoConvergedReason reason = TAO_CONTINUE_ITERATING;
  PetscInt iterations = 0;
  TaoType type = nullptr;
  check(TaoGetConvergedReason(tao, &reason), kSolvingPrimal);
  check(TaoGetIterationNumber(tao, &iterations), kSolvingPrimal);
  check(TaoGetType(tao, &type), kSolvingPrimal);
  report.converged = reason > 0;
  report.iterations = static_cast<int>(iterations);
  report.method = std::string("primal, ") + type + " (" + TaoConvergedReasons[reason] + ")";
  const petsc::ConstVecValues from(x);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = std::max(0.0, from.data()[i] * force_);
  return report;
}

void Primal::recover(const std::vector<double>& f, Vec u) const {
  double most = 0;
  for (const double force : f) most = std::max(most, force);
  MPI_Comm comm = energy_->problem().comm;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
  petsc::VecHandle weight, wanted, solution;
  check(MatCreateVecs(transposed_, weight.put(), solution.put()), kSolvingPrimal);
  check(VecDuplicate(weight, wanted.put()), kSolvingPrimal);
  {
    const petsc::VecValues w(weight);
    const petsc::VecValues c(wanted);
    for (std::size_t i = 0; i < f.size(); ++i) {
      w.data()[i] = f[i] > kLoaded * most ? 1 : 0;
      c.data()[i] = -w.data()[i] * compression_of(energy_->laws()[i], f[i]);
    }
  }
  petsc::MatHandle rates;
  check(MatTranspose(transposed_, MAT_INITIAL_MATRIX, rates.put()), kSolvingPrimal);
  check(MatDiagonalScale(rates, weight, nullptr), kSolvingPrimal);
  petsc::KspHandle ksp;
  PC pc = nullptr;
  check(KSPCreate(comm, ksp.put()), kSolvingPrimal);
  check(KSPSetOptionsPrefix(ksp, (prefix_of(*energy_) + "recover_").c_str()), kSolvingPrimal);
  check(KSPSetType(ksp, KSPLSQR), kSolvingPrimal);
  check(KSPSetOperators(ksp, rates, rates), kSolvingPrimal);
  check(KSPGetPC(ksp, &pc), kSolvingPrimal);
  check(PCSetType(pc, PCNONE), kSolvingPrimal);
  check(KSPSetTolerances(ksp, 1e-12, 1e-50, 1e10, 20000), kSolvingPrimal);
  check(KSPSetFromOptions(ksp), kSolvingPrimal);
  check(KSPSolve(ksp, wanted, solution), kSolvingPrimal);
  check(VecSet(u, 0), kSolvingPrimal);
  const petsc::ConstVecValues from(solution);
  const petsc::VecValues to(u);
  for (std::size_t e = 0; e < unknown_.size(); ++e) to.data()[unknown_[e]] = from.data()[e];
}

}  // namespace

void read_primal_options(const ContactEnergy& energy) {
  for (const bool few : {true, false}) {
    const std::string prefix = prefix_of(energy);
    read_options_of_minimiser(create_minimiser(energy.problem().comm, prefix, few), prefix);
  }
}

PrimalReport solve_primal(ContactEnergy& energy, Vec load, std::vector<double>& f, Vec u) {
  MPI_Comm comm = energy.problem().comm;
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  long contacts = static_cast<long>(energy.contacts().size());
  MPI_Allreduce(MPI_IN_PLACE, &contacts, 1, MPI_LONG, MPI_SUM, comm);
  const bool few = contacts <= (ranks > 1 ? kFewOnRanks : kFew);
  if (ranks > 1 && !few)
    throw RunError("\"compatibility\": \"primal\" supports at most " + std::to_string(kFewOnRanks) +
                   " contacts on several ranks (here: " + std::to_string(contacts) + " on " +
                   std::to_string(ranks) +
                   "), because PDIPM of PETSc 3.18 does not converge there; use \"dual\", or one rank");
  double force = 0;
  check(VecNorm(load, NORM_INFINITY, &force), kSolvingPrimal);
  Primal primal(energy, load, force, few);
  PrimalReport report = primal.solve(f);
  primal.recover(f, u);
  return report;
}

}  // namespace scree::contact_dynamics
