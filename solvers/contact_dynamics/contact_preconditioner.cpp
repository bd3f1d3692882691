#include "solvers/contact_dynamics/contact_preconditioner.hpp"

#include <algorithm>
#include <array>

#include "assembly/factors.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kPreconditioning = "preconditioning the stiffness of contacts";

/// Up to here a factorisation costs less than it takes to find out what else would do.
constexpr PetscInt kSmall = 100;
/// Parts of the dropped fill that are compensated, in turn until all pivots are positive.
constexpr std::array<double, 4> kCompensations{1, 0.95, 0.7, 0};
/// Part of the pivots that may give way before MIC is taken to have failed.
constexpr double kPivotsThatMayFail = 0.02;

}  // namespace

ContactPreconditioner::ContactPreconditioner(MPI_Comm comm, std::string prefix, Preconditioning wanted,
                                             std::vector<double> rank_of)
    : comm_(comm), prefix_(std::move(prefix)), wanted_(wanted), rank_of_(std::move(rank_of)) {
  auto owned = static_cast<PetscInt>(rank_of_.size());
  MPI_Allreduce(&owned, &bodies_, 1, MPIU_INT, MPI_SUM, comm_);
  method_ = wanted_;
  if (wanted_ == Preconditioning::automatic)
    method_ = bodies_ <= kSmall ? Preconditioning::direct : Preconditioning::mic;
}

void ContactPreconditioner::attach(PC pc) {
  check(PCSetType(pc, PCSHELL), kPreconditioning);
  check(PCShellSetContext(pc, this), kPreconditioning);
  check(PCShellSetApply(pc, apply), kPreconditioning);
}

void ContactPreconditioner::update(Mat matrix, bool for_accuracy) {
  static const petsc::LogEvent event("ScreeContactPC");
  const petsc::LogScope scope(event);
  if (method_ == Preconditioning::mic) factor_incompletely(matrix, for_accuracy);
  if (method_ != Preconditioning::mic) set_up_inner(matrix);
}

void ContactPreconditioner::factor_incompletely(Mat matrix, bool for_accuracy) {
  if (!factors_) factors_ = make_block_mic(matrix, rank_of_);
  // Far from the minimum the network may not bear full compensation: less of it is a worse preconditioner,
  // which serves where little accuracy is wanted. There what did last time is tried first, as every attempt
  // is a factorisation.
  std::array<long, 2> count{};
  if (for_accuracy) level_ = 0;
  for (;; ++level_) {
    count = {factors_->factor(matrix, kCompensations[level_]), static_cast<long>(rank_of_.size())};
    MPI_Allreduce(MPI_IN_PLACE, count.data(), 2, MPI_LONG, MPI_SUM, comm_);
    if (count[0] == 0 || level_ + 1 == kCompensations.size()) break;
  }
  least_compensation_ = std::min(least_compensation_, kCompensations[level_]);
  description_ = "block MIC(0) by height";
  if (wanted_ == Preconditioning::automatic &&
      static_cast<double>(count[0]) > kPivotsThatMayFail * static_cast<double>(count[1]))
    move_on(std::to_string(count[0]) + " pivots of MIC(0) were not positive");
  else if (least_compensation_ < 1)
    description_ += ", at times with less compensation";
}

void ContactPreconditioner::move_on(const std::string& why) {
  method_ = bodies_ <= kMostBodiesToFactor ? Preconditioning::direct : Preconditioning::multigrid;
  factors_.reset();
  description_ = why + ": ";
}

bool ContactPreconditioner::disappointed(const std::string& why) {
  if (wanted_ != Preconditioning::automatic || method_ != Preconditioning::mic) return false;
  move_on(why);
  return true;
}

void ContactPreconditioner::set_up_inner(Mat matrix) {
  const bool by_blocks = method_ == Preconditioning::block_jacobi;
  if (!by_blocks && scalar_) {
    Mat reused = scalar_;
    check(MatConvert(matrix, MATAIJ, MAT_REUSE_MATRIX, &reused), kPreconditioning);
  } else if (!by_blocks) {
    check(MatConvert(matrix, MATAIJ, MAT_INITIAL_MATRIX, scalar_.put()), kPreconditioning);
  }
  if (!by_blocks) check(MatSetOption(scalar_, MAT_SYMMETRIC, PETSC_TRUE), kPreconditioning);
  if (!inner_) {
    check(PCCreate(comm_, inner_.put()), kPreconditioning);
    check(PCSetOptionsPrefix(inner_, (prefix_ + "inner_").c_str()), kPreconditioning);
    if (by_blocks) {
      check(PCSetType(inner_, PCPBJACOBI), kPreconditioning);
      description_ += "blocks of bodies";
    } else if (method_ == Preconditioning::direct) {
      PetscInt unknowns = 0;
      check(MatGetSize(scalar_, &unknowns, nullptr), kPreconditioning);
      // PETSc's own factors are quicker to set up.
      petsc::use_factors(inner_, PCCHOLESKY, bodies_ <= kSmall, unknowns);
      description_ += "Cholesky factors";
    } else {
      check(PCSetType(inner_, PCGAMG), kPreconditioning);
      // Jacobi or SOR on the levels return NaN on trusses (theory 10 section 4).
      const auto set = [levels = prefix_ + "inner_mg_levels_"](const char* name, const char* value) {
        petsc::set_default(levels, name, value, kPreconditioning);
      };
      set("pc_type", "bjacobi");
      set("sub_pc_type", "icc");
      set("sub_pc_factor_shift_type", "positive_definite");
      description_ += "GAMG smoothed by ICC";
    }
  }
  const Mat used = by_blocks ? matrix : scalar_.get();
  check(PCSetOperators(inner_, used, used), kPreconditioning);
  check(PCSetFromOptions(inner_), kPreconditioning);
  check(PCSetUp(inner_), kPreconditioning);
}

PetscErrorCode ContactPreconditioner::apply(PC pc, Vec x, Vec y) {
  void* context = nullptr;
  PetscErrorCode code = PCShellGetContext(pc, &context);
  if (code != 0) return code;
  const auto& me = *static_cast<ContactPreconditioner*>(context);
  if (me.inner_) return PCApply(me.inner_, x, y);
  const double* from = nullptr;
  double* to = nullptr;
  if (code = VecGetArrayRead(x, &from); code != 0) return code;
  if (code = VecGetArrayWrite(y, &to); code != 0) return code;
  me.factors_->apply(from, to);
  if (code = VecRestoreArrayWrite(y, &to); code != 0) return code;
  return VecRestoreArrayRead(x, &from);
}

}  // namespace scree::contact_dynamics
