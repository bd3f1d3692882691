#include "solvers/dynamic/impact_system.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "solvers/compliant/linear_choice.hpp"
#include "solvers/dynamic/body_mobility.hpp"
#include "solvers/world/world.hpp"

namespace scree {
namespace {

using petsc::check;
using Block = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;

constexpr const char* kOfImpacts = "solving for the velocities after impacts";
constexpr const char* kOptionsOfImpacts = "reading options of the solver for velocities after impacts";
constexpr int kMostOfImpacts = 2000;
/// Of the residual relative to the impulses, and while weights are still corrected, by far smaller than the
/// errors that corrections leave.
constexpr double kTolerance = 1e-11;
constexpr double kWhileCorrected = 1e-4;
/// Up to so many unknowns factors are cheaper than iterations; beyond, they are for what iterations cannot
/// do.
constexpr PetscInt kDirect = 60;
/// Part of the largest right-hand side below which another one starts from zero.
constexpr double kSmall = 1e-3;

std::string own_prefix(const World& world) { return world.options_prefix() + "impact_"; }

}  // namespace

ImpactSystem::ImpactSystem(const World& world) : world_(&world), guard_(world.comm()) {}

void ImpactSystem::begin(std::vector<LocalSystem::Coupling> couplings) {
  const LocalSystem& of_step = world_->rows();
  rows_.set_entities(of_step.owned, of_step.size);
  rows_.scale = of_step.scale;
  rows_.set_couplings(std::move(couplings));
  if (layout_ != world_->layout()) {
    sweeps_.forget();
    scaling_.reset();
    sweeping_.reset();
  }
  layout_ = world_->layout();
  if (assembler_.set_pattern(world_->dofs(), rows_)) iterations_ = {};
  factored_ = false;
  largest_ = 0;
}

void ImpactSystem::take_rows() {
  const Bodies& bodies = world_->bodies();
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    for (int k = 0; k < kBodyUnknowns; ++k) {
      if (!body.fixed[static_cast<std::size_t>(k)]) continue;
      Block diagonal(rows_.diagonal(i));
      diagonal.row(k).setZero();
      diagonal.col(k).setZero();
      diagonal(k, k) = inertia_of(body, bodies.trial[i].R)(k, k);
      for (int c = rows_.first_coupling(i); c < static_cast<int>(rows_.couplings.size()) &&
                                            rows_.couplings[static_cast<std::size_t>(c)].row == i;
           ++c)
        Block(rows_.coupling(c)).row(k).setZero();
    }
  }
  swept_ = false;
  assembled_ = false;
}

bool ImpactSystem::has_own_solver() const {
  for (const char* option : {"-pc_type", "-ksp_type", "-ksp_norm_type"}) {
    PetscBool chosen = PETSC_FALSE;
    check(PetscOptionsHasName(nullptr, own_prefix(*world_).c_str(), option, &chosen), kOptionsOfImpacts);
    if (chosen == PETSC_TRUE) return true;
  }
  return false;
}

bool ImpactSystem::solve_transformed(ImpactSweeps::Swept swept, double tolerance, Vec right, Vec solution) {
  const Bodies& bodies = world_->bodies();
  if (!std::exchange(swept_, true)) {
    sweeps_.take(world_->dofs(), rows_,
                 [&bodies](int i) { return bodies.properties[static_cast<std::size_t>(i)].fixed; });
  }
  petsc::KspHandle& ksp = swept == ImpactSweeps::Swept::yes ? sweeping_ : scaling_;
  if (!ksp) {
    ksp = create(sweeps_.transformed(swept));
    PC pc = nullptr;
    check(KSPGetPC(ksp, &pc), kOfImpacts);
    check(PCSetType(pc, PCNONE), kOfImpacts);
    check(KSPSetNormType(ksp, KSP_NORM_NATURAL), kOfImpacts);  // as any other one, and known
  }
  const petsc::VecHandle transformed = world_->dofs().create_vector();
  check(VecCopy(right, transformed), kOfImpacts);
  sweeps_.transform(swept, transformed, solution);
  const bool solved = iterate(ksp, tolerance, transformed, solution);
  sweeps_.transform_back(swept, solution);
  if (!solved) check(VecZeroEntries(solution), kOfImpacts);  // it may be NaN
  return solved;
}

void ImpactSystem::assemble() {
  if (!std::exchange(assembled_, true)) assembler_.assemble_tangent(rows_);
}

bool ImpactSystem::solve_assembled(bool direct, double tolerance, Vec right, Vec solution) {
  assemble();
  if (!iterations_) iterations_ = create_solver(direct);
  if (iterate(iterations_, tolerance, right, solution)) return true;
  if (direct) return false;
  factored_ = true;
  petsc::KspHandle factors = create_solver(true);
  return iterate(factors, tolerance, right, solution);
}

petsc::KspHandle ImpactSystem::create(Mat matrix) {
  petsc::KspHandle ksp;
  check(KSPCreate(world_->comm(), ksp.put()), kOfImpacts);
  check(KSPSetOptionsPrefix(ksp, own_prefix(*world_).c_str()), kOfImpacts);
  check(KSPSetOperators(ksp, matrix, matrix), kOfImpacts);
  check(KSPSetType(ksp, KSPCG), kOfImpacts);
  check(KSPSetInitialGuessNonzero(ksp, PETSC_TRUE), kOfImpacts);
  guard_.watch(ksp);
  return ksp;
}

petsc::KspHandle ImpactSystem::create_solver(bool direct) {
  petsc::KspHandle ksp = create(assembler_.matrix());
  choose_linear_solver(ksp, direct ? LinearChoice::direct : LinearChoice::iterative,
                       world_->dofs().global_unknowns());
  // Factors alone are not enough: those of PETSc invert the blocks of the bodies, and lose twice the digits
  // that the weights take up.
  check(KSPSetType(ksp, KSPCG), kOfImpacts);
  return ksp;
}

void ImpactSystem::rehearse() {
  constexpr const char* kSettingUp = "setting up the solver for velocities after impacts";
  const std::string prefix = own_prefix(*world_);
  const auto one_is_left = [this, &prefix] {
    const std::vector<std::string> unused = petsc::unused_options();
    const bool here = std::any_of(unused.begin(), unused.end(),
                                  [&prefix](const std::string& name) { return name.starts_with(prefix); });
    return world_->on_any_rank(here);  // some preconditioners work on a few ranks
  };
  assemble();
  for (const bool direct : {true, false}) check(KSPSetFromOptions(create_solver(direct)), kOptionsOfImpacts);
  for (const bool direct : {false, true}) {
    if (!one_is_left()) return;  // factors of large systems are dear
    const petsc::KspHandle ksp = create_solver(direct);
    check(KSPSetFromOptions(ksp), kOptionsOfImpacts);
    check(KSPSetUp(ksp), kSettingUp);
    check(KSPSetUpOnBlocks(ksp), kSettingUp);
  }
}

bool ImpactSystem::iterate(petsc::KspHandle& ksp, double tolerance, Vec right, Vec solution) {
  check(KSPSetTolerances(ksp, tolerance, 1e-300, 1e10, kMostOfImpacts), kOfImpacts);
  check(KSPMonitorCancel(ksp), kOfImpacts);  // options add theirs each time
  check(KSPSetFromOptions(ksp), kOptionsOfImpacts);
  static const petsc::LogEvent event("ScreeImpactSolve");
  PetscErrorCode code = 0;
  {
    const petsc::LogScope scope(event);
    code = KSPSolve(ksp, right, solution);
  }
  if (code != 0) {
    ksp.reset();  // its solve counts as begun
    sweeps_.rethrow();
    guard_.rethrow_kept();
  }
  check(code, kOfImpacts);
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  check(KSPGetConvergedReason(ksp, &reason), kOfImpacts);
  return reason > 0;
}

bool ImpactSystem::solve(const std::vector<Vec6>& impulse, ImpactAccuracy accuracy,
                         std::vector<Vec6>& change) {
  const double tolerance = accuracy == ImpactAccuracy::result ? kTolerance : kWhileCorrected;
  const Bodies& bodies = world_->bodies();
  const petsc::VecHandle right = world_->dofs().create_vector();
  const petsc::VecHandle solution = world_->dofs().create_vector();
  {
    const petsc::VecValues to(right);
    const petsc::VecValues guess(solution);
    for (int i = 0; i < bodies.owned; ++i) {
      for (int k = 0; k < kBodyUnknowns; ++k) {
        const int at = rows_.offset[i] + k;
        const bool fixed = bodies.properties[i].fixed[static_cast<std::size_t>(k)];
        to.data()[at] = fixed ? 0.0 : rows_.scale[at] * impulse[static_cast<std::size_t>(i)][k];
        guess.data()[at] = fixed ? 0.0 : change[static_cast<std::size_t>(i)][k] / rows_.scale[at];
      }
    }
  }
  double size = 0;
  check(VecNorm(right, NORM_2, &size), kOfImpacts);
  largest_ = std::max(largest_, size);
  // Relative to what is next to nothing, the first guess would count as divergence.
  if (size < kSmall * largest_) check(VecZeroEntries(solution), kOfImpacts);
  const bool direct = world_->dofs().global_unknowns() <= kDirect;
  // Sweeps differ by the number of ranks, and so would what they leave at a loose tolerance; weights would
  // follow it. The residual of the result is weighed otherwise than theirs: the iterations on the assembled
  // matrix decide, after few of them or none.
  const bool of_weights = accuracy == ImpactAccuracy::weights;
  const auto swept = of_weights ? ImpactSweeps::Swept::no : ImpactSweeps::Swept::yes;
  const bool transformed =
      !direct && !has_own_solver() && solve_transformed(swept, tolerance, right, solution);
  if (!(transformed && of_weights) && !solve_assembled(direct, tolerance, right, solution)) return false;
  std::vector<double> local(static_cast<std::size_t>(rows_.offset.back()));
  world_->dofs().to_local(solution, rows_.scale, local);
  for (int i = 0; i < bodies.moving(); ++i)
    change[static_cast<std::size_t>(i)] =
        Eigen::Map<const Vec6>(&local[static_cast<std::size_t>(rows_.offset[i])]);
  return true;
}

}  // namespace scree
