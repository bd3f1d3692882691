/// Linear programs over the solutions of a step, by Clp (COIN-OR).
#include <coin/Clp_C_Interface.h>

#include <algorithm>
#include <memory>
#include <string>

#include "core/error.hpp"
#include "core/infinity.hpp"
#include "core/interrupt.hpp"
#include "solvers/contact_dynamics/contact_energy.hpp"
#include "solvers/contact_dynamics/gathered_rows.hpp"
#include "solvers/contact_dynamics/uniqueness.hpp"

namespace scree::contact_dynamics {
namespace {

constexpr double kFeasible = 1e-9;  ///< of the load's largest entry

/// Forces that carry a load, as columns of a linear program: B^T f = load, f >= 0.
class Programs {
 public:
  Programs(const GatheredRows& rows, const std::vector<double>& load)
      : count_(static_cast<int>(rows.start.size()) - 1), model_(Clp_newModel(), Clp_deleteModel) {
    const std::vector<double> lower(count_, 0), upper(count_, kInfinity), none(count_, 0);
    Clp_setLogLevel(model_.get(), 0);
    Clp_loadProblem(model_.get(), count_, rows.unknowns, rows.start.data(), rows.column.data(),
                    rows.value.data(), lower.data(), upper.data(), none.data(), load.data(), load.data());
    Clp_setPrimalTolerance(model_.get(), kFeasible);
    Clp_setDualTolerance(model_.get(), kFeasible);
    Clp_initialSolve(model_.get());
    if (Clp_status(model_.get()) != 0)
      throw RunError(
          "force intervals: the active contacts cannot balance the load (LP infeasible, "
          "status of Clp " +
          std::to_string(Clp_status(model_.get())) + ")");
  }

  /// sign * min of sign * f_column.
  double extreme(int column, double sign) {
    std::vector<double> objective(count_, 0);
    objective[column] = sign;
    Clp_chgObjCoefficients(model_.get(), objective.data());
    Clp_primal(model_.get(), 0);  // the forces at hand stay admissible
    const int status = Clp_status(model_.get());
    if (status == 2) return kInfinity;
    if (status != 0) throw RunError("force intervals: Clp failed, status " + std::to_string(status));
    return std::max(0.0, Clp_primalColumnSolution(model_.get())[column]);
  }

 private:
  int count_;
  std::unique_ptr<Clp_Simplex, void (*)(Clp_Simplex*)> model_;
};

}  // namespace

std::vector<ForceInterval> force_intervals(const StepProblem& problem, const std::vector<char>& closed,
                                           Vec load, const std::vector<int>& wanted) {
  std::vector<int> contacts, column(closed.size(), -1);
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (closed[i] == 0) continue;
    column[i] = static_cast<int>(contacts.size());
    contacts.push_back(static_cast<int>(i));
  }
  const ContactEnergy energy(problem, std::move(contacts), false);
  const petsc::VecHandle needed = energy.displacements();
  energy.from_loads(load, needed);
  double scale = 0;
  petsc::check(VecNorm(needed, NORM_INFINITY, &scale), "looking for intervals of forces");
  if (scale > 0) petsc::check(VecScale(needed, 1 / scale), "looking for intervals of forces");
  const GatheredRows rows = gather_rows(energy);
  std::vector<double> mine, asked;
  {
    const petsc::ConstVecValues values(needed);
    mine.assign(values.data(), values.data() + static_cast<std::ptrdiff_t>(energy.block()) * problem.owned);
  }
  for (const int i : wanted)
    asked.push_back(column[i] < 0 ? -1.0 : static_cast<double>(rows.first + column[i]));
  const std::vector<double> all_load = gather(problem.comm, mine);
  const std::vector<double> all_asked = gather(problem.comm, asked);
  auto count = static_cast<int>(all_asked.size());
  MPI_Bcast(&count, 1, MPI_INT, 0, problem.comm);
  std::vector<double> ends(2 * static_cast<std::size_t>(count), 0);
  std::string failure;
  bool interrupted = false;
  int rank = 0;
  MPI_Comm_rank(problem.comm, &rank);
  if (rank == 0 && count > 0) {
    try {
      Programs programs(rows, all_load);
      for (int k = 0; k < count && !interrupted; ++k) {
        interrupted = interrupt_requested();  // the others wait for the outcome
        if (all_asked[k] < 0) continue;
        ends[2 * k] = scale * programs.extreme(static_cast<int>(all_asked[k]), 1);
        ends[2 * k + 1] = scale * programs.extreme(static_cast<int>(all_asked[k]), -1);
      }
    } catch (const RunError& error) {
      failure = error.what();
    }
  }
  int failed = interrupted ? 2 : failure.empty() ? 0 : 1;
  MPI_Bcast(&failed, 1, MPI_INT, 0, problem.comm);
  if (failed == 2) throw Interrupted();
  if (failed != 0) throw RunError(rank == 0 ? failure : "force intervals: failure on rank 0");
  MPI_Bcast(ends.data(), 2 * count, MPI_DOUBLE, 0, problem.comm);
  int before = 0;
  const int own = static_cast<int>(wanted.size());
  MPI_Scan(&own, &before, 1, MPI_INT, MPI_SUM, problem.comm);
  before -= own;
  std::vector<ForceInterval> intervals;
  for (int k = before; k < before + own; ++k)
    intervals.push_back({ends[2 * static_cast<std::size_t>(k)], ends[2 * static_cast<std::size_t>(k) + 1]});
  return intervals;
}

}  // namespace scree::contact_dynamics
