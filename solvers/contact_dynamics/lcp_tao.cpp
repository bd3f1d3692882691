/// The LCP by bound-constrained minimisers of PETSc's TAO; which of them are sound: theory 07 section 2.
#include <algorithm>
#include <array>

#include "assembly/callback_guard.hpp"
#include "core/interrupt.hpp"
#include "solvers/contact_dynamics/lcp_methods.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kPreparing = "preparing TAO for the LCP";
constexpr const char* kSolving = "solving the LCP by TAO";

/// What r has to fall to of what it was before TAO starts anew from there.
constexpr double kFall = 1e-3;

/// What callbacks work on. The energy is counted from the start of the solve, 1/2 (y - y_0)^T (w + w_0): its
/// line searches compare energies, and those of an impact are so large that what r = 1e-9 changes in them is
/// round-off. For the same reason TAO is started anew now and then.
struct Context {
  const ScaledLcp* lcp = nullptr;
  double target = 0;  ///< of r in this solve
  double measured = 0;
  Vec p = nullptr, rates = nullptr;
  Vec point = nullptr;  ///< to which `rates` belongs
  Vec start = nullptr, start_rates = nullptr, way = nullptr;
  bool interrupted = false;  ///< on all ranks alike
  MethodReport report;
};

/// result = N x, by the packed rows: BQPIP changes the matrix that it is given.
PetscErrorCode apply(const ScaledLcp& lcp, Vec x, Vec result) {
  PetscFunctionBegin;
  try {
    lcp.n->apply(petsc::ConstVecValues(x).data(), petsc::VecValues(result).data());
  } catch (const std::exception& error) {
    SETERRQ(lcp.n->comm(), PETSC_ERR_LIB, "%s", error.what());
  }
  PetscFunctionReturn(0);
}

/// w = N y + p into `rates`, unless it is there already.
PetscErrorCode update_rates(Context& context, Vec y) {
  PetscBool known = PETSC_FALSE;
  PetscFunctionBegin;
  if (context.report.products > 0) PetscCall(VecEqual(y, context.point, &known));
  if (!known) {
    ++context.report.products;
    PetscCall(apply(*context.lcp, y, context.rates));
    PetscCall(VecAXPY(context.rates, 1, context.p));
    PetscCall(VecCopy(y, context.point));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode energy_and_gradient(Tao /*tao*/, Vec y, PetscReal* energy, Vec gradient, void* data) {
  Context& context = *static_cast<Context*>(data);
  std::array<PetscScalar, 2> products{};
  std::array<Vec, 2> with{context.rates, context.start_rates};
  PetscFunctionBegin;
  PetscCall(update_rates(context, y));
  PetscCall(VecWAXPY(context.way, -1, context.start, y));
  PetscCall(VecMDot(context.way, 2, with.data(), products.data()));
  *energy = 0.5 * (products[0] + products[1]);
  PetscCall(VecCopy(context.rates, gradient));
  PetscFunctionReturn(0);
}

PetscErrorCode constant_hessian(Tao /*tao*/, Vec /*y*/, Mat /*n*/, Mat /*preconditioner*/, void* /*data*/) {
  return 0;
}

PetscErrorCode multiply(Mat shell, Vec x, Vec result) {
  void* data = nullptr;
  PetscFunctionBegin;
  PetscCall(MatShellGetContext(shell, &data));
  Context& context = *static_cast<Context*>(data);
  ++context.report.products;
  PetscCall(apply(*context.lcp, x, result));
  PetscFunctionReturn(0);
}

PetscErrorCode diagonal(Mat shell, Vec result) {
  void* data = nullptr;
  PetscScalar* to = nullptr;
  PetscFunctionBegin;
  PetscCall(MatShellGetContext(shell, &data));
  const std::vector<double>& from = static_cast<Context*>(data)->lcp->n->diagonal();
  PetscCall(VecGetArrayWrite(result, &to));
  std::copy(from.begin(), from.end(), to);
  PetscCall(VecRestoreArrayWrite(result, &to));
  PetscFunctionReturn(0);
}

/// r of a point. Collective.
PetscErrorCode measure_residual(Context& context, Vec y) {
  const PetscScalar *force = nullptr, *rate = nullptr;
  PetscFunctionBegin;
  PetscCall(update_rates(context, y));
  PetscCall(VecGetArrayRead(y, &force));
  PetscCall(VecGetArrayRead(context.rates, &rate));
  try {
    context.measured = context.lcp->measure({force, context.lcp->size()}, {rate, context.lcp->size()});
  } catch (const Interrupted&) {  // not through PETSc's frames
    context.interrupted = true;
  }
  PetscCall(VecRestoreArrayRead(context.rates, &rate));
  PetscCall(VecRestoreArrayRead(y, &force));
  PetscFunctionReturn(0);
}

/// Our own measure alone stops TAO.
PetscErrorCode converged(Tao tao, void* data) {
  Context& context = *static_cast<Context*>(data);
  Vec y = nullptr;
  PetscInt iterations = 0;
  PetscFunctionBegin;
  PetscCall(TaoGetSolution(tao, &y));
  PetscCall(measure_residual(context, y));
  PetscCall(TaoGetIterationNumber(tao, &iterations));
  if (context.interrupted) {
    PetscCall(TaoSetConvergedReason(tao, TAO_DIVERGED_USER));
  } else if (context.measured <= context.target) {
    PetscCall(TaoSetConvergedReason(tao, TAO_CONVERGED_USER));
  } else if (context.report.iterations + iterations >= context.lcp->max_iterations) {
    PetscCall(TaoSetConvergedReason(tao, TAO_DIVERGED_MAXITS));
  }
  PetscFunctionReturn(0);
}

/// Solves from where the solution is. @returns why it failed; empty where r came to the target. A breakdown
/// of TAO is no error of the program.
std::string run(Tao tao, Context& context, petsc::CallbackGuard& guard) {
  const PetscErrorCode code = TaoSolve(tao);
  guard.rethrow_kept();
  if (context.interrupted) throw Interrupted();
  if (code == PETSC_ERR_ARG_OUTOFRANGE || code == PETSC_ERR_FP) return "TAO: line search failed";
  check(code, kSolving);
  TaoConvergedReason reason = TAO_CONTINUE_ITERATING;
  PetscInt iterations = 0;
  check(TaoGetConvergedReason(tao, &reason), kSolving);
  check(TaoGetIterationNumber(tao, &iterations), kSolving);
  context.report.iterations += iterations;
  if (reason == TAO_CONVERGED_USER) return {};
  return reason == TAO_DIVERGED_MAXITS ? "iteration limit" : TaoConvergedReasons[reason];
}

/// N in scaled units as a matrix.
petsc::MatHandle assembled(const ScaledLcp& lcp, const ContactOperator& contacts) {
  petsc::MatHandle n = contacts.delassus_matrix();
  const petsc::VecHandle factors = contacts.per_contact();
  check(MatGetDiagonal(n, factors), kPreparing);
  {
    const petsc::VecValues values(factors);
    for (std::size_t i = 0; i < lcp.size(); ++i) {
      values.data()[i] = values.data()[i] > 0 ? 1 / std::sqrt(values.data()[i]) : 0;
    }
  }
  check(MatDiagonalScale(n, factors, factors), kPreparing);
  return n;
}

petsc::MatHandle shell_of(Context& context, MPI_Comm comm) {
  const auto size = static_cast<PetscInt>(context.lcp->size());
  petsc::MatHandle n;
  check(MatCreateShell(comm, size, size, PETSC_DETERMINE, PETSC_DETERMINE, &context, n.put()), kPreparing);
  check(MatShellSetOperation(n, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)), kPreparing);
  check(MatShellSetOperation(n, MATOP_MULT_TRANSPOSE, reinterpret_cast<void (*)()>(multiply)), kPreparing);
  check(MatShellSetOperation(n, MATOP_GET_DIAGONAL, reinterpret_cast<void (*)()>(diagonal)), kPreparing);
  check(MatSetOption(n, MAT_SYMMETRIC, PETSC_TRUE), kPreparing);
  return n;
}

/// TRON and BQPIP precondition by ILU by default, which a shell lacks and a singular N does not
/// like; their linear solver takes TAO's own prefix (theory 07 section 2).
void choose(Tao tao, LcpMethod method, const std::string& prefix, petsc::CallbackGuard& guard) {
  const TaoType type = method == LcpMethod::bqpip ? TAOBQPIP : method == LcpMethod::tron ? TAOTRON : TAOBNCG;
  check(TaoSetOptionsPrefix(tao, prefix.c_str()), kPreparing);
  check(TaoSetType(tao, type), kPreparing);
  if (method != LcpMethod::bncg) {
    KSP ksp = nullptr;
    PC pc = nullptr;
    check(TaoGetKSP(tao, &ksp), kPreparing);
    check(KSPGetPC(ksp, &pc), kPreparing);
    check(PCSetType(pc, PCJACOBI), kPreparing);
    guard.watch(ksp);
  }
  if (method == LcpMethod::tron) petsc::set_default(prefix, "tao_subset_type", "matrixfree", kPreparing);
  check(TaoSetFromOptions(tao), kPreparing);
}

}  // namespace

void read_tao_options(MPI_Comm comm, LcpMethod method, const std::string& prefix) {
  petsc::CallbackGuard guard(comm);
  petsc::TaoHandle tao;
  check(TaoCreate(comm, tao.put()), kPreparing);
  choose(tao, method, prefix, guard);
}

MethodReport solve_tao(const ScaledLcp& lcp, LcpMethod method, const ContactOperator& contacts,
                       std::span<double> y) {
  const MPI_Comm comm = lcp.n->comm();
  const auto vec = [&] { return contacts.per_contact(); };
  const petsc::VecHandle solution = vec(), lower = vec(), upper = vec(), p = vec(), rates = vec(),
                         point = vec(), start = vec(), start_rates = vec(), way = vec();
  std::copy(y.begin(), y.end(), petsc::VecValues(solution).data());
  std::copy(lcp.p.begin(), lcp.p.end(), petsc::VecValues(p).data());
  check(VecSet(upper, PETSC_INFINITY), kPreparing);
  Context context;
  context.lcp = &lcp;
  context.p = p;
  context.rates = rates;
  context.point = point;
  context.start = start;
  context.start_rates = start_rates;
  context.way = way;
  const petsc::MatHandle n = method == LcpMethod::bqpip ? assembled(lcp, contacts) : shell_of(context, comm);
  petsc::CallbackGuard guard(comm);
  petsc::TaoHandle tao;
  check(TaoCreate(comm, tao.put()), kPreparing);
  check(TaoSetSolution(tao, solution), kPreparing);
  check(TaoSetVariableBounds(tao, lower, upper), kPreparing);
  check(TaoSetObjectiveAndGradient(tao, nullptr, energy_and_gradient, &context), kPreparing);
  check(TaoSetHessian(tao, n, n, constant_hessian, nullptr), kPreparing);
  check(TaoSetConvergenceTest(tao, converged, &context), kPreparing);
  choose(tao, method, lcp_prefix(lcp.n->problem()), guard);
  check(TaoSetMaximumFunctionEvaluations(tao, PETSC_MAX_INT), kPreparing);
  check(measure_residual(context, solution), kSolving);
  if (context.interrupted) throw Interrupted();
  while (context.measured > lcp.tolerance && context.report.cause.empty()) {
    // An interior point is no start for another solve.
    context.target =
        method == LcpMethod::bqpip ? lcp.tolerance : std::max(lcp.tolerance, kFall * context.measured);
    check(VecCopy(solution, start), kSolving);
    check(VecCopy(rates, start_rates), kSolving);
    context.report.cause = run(tao, context, guard);
  }
  const petsc::ConstVecValues forces(solution);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = forces.data()[i] > 0 ? forces.data()[i] : 0;
  return context.report;
}

}  // namespace scree::contact_dynamics
