#include "solvers/contact_dynamics/gathered_rows.hpp"

#include <limits>
#include <numeric>

#include "core/error.hpp"

namespace scree::contact_dynamics {
namespace {

template <class Value>
std::vector<Value> gather_as(MPI_Comm comm, const std::vector<Value>& mine, MPI_Datatype type) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  auto all = static_cast<long>(mine.size());
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_LONG, MPI_SUM, comm);
  if (all > std::numeric_limits<int>::max())
    throw RunError("force intervals: too many contacts for one rank; remove output/contacts/intervals");
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(ranks, 0), offsets(ranks, 0);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm);
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
  std::vector<Value> together(rank == 0 ? all : 0);
  MPI_Gatherv(mine.data(), count, type, together.data(), counts.data(), offsets.data(), type, 0, comm);
  return together;
}

}  // namespace

std::vector<double> gather(MPI_Comm comm, const std::vector<double>& mine) {
  return gather_as(comm, mine, MPI_DOUBLE);
}

GatheredRows gather_rows(const ContactEnergy& energy) {
  const StepProblem& problem = energy.problem();
  const int block = energy.block();
  std::vector<int> lengths, column;
  std::vector<double> value;
  for (std::size_t i = 0; i < energy.contacts().size(); ++i) {
    const Constraint& contact = problem.constraints[energy.contacts()[i]];
    const std::size_t before = column.size();
    const auto add = [&](int body, const double* entries) {
      for (int k = 0; body >= 0 && k < block; ++k) {
        if (entries[k] == 0) continue;
        column.push_back(static_cast<int>(block * problem.bodies[body].number + k));
        value.push_back(entries[k]);
      }
    };
    add(contact.a, energy.row(i, 0));
    add(contact.b, energy.row(i, 0) + block);
    lengths.push_back(static_cast<int>(column.size() - before));
  }
  GatheredRows rows;
  const auto mine = static_cast<long>(lengths.size());
  MPI_Scan(&mine, &rows.first, 1, MPI_LONG, MPI_SUM, problem.comm);
  rows.first -= mine;
  int unknowns = block * problem.owned;
  MPI_Allreduce(&unknowns, &rows.unknowns, 1, MPI_INT, MPI_SUM, problem.comm);
  const std::vector<int> all = gather_as(problem.comm, lengths, MPI_INT);
  rows.start.resize(all.size() + 1, 0);
  std::inclusive_scan(all.begin(), all.end(), rows.start.begin() + 1);
  rows.column = gather_as(problem.comm, column, MPI_INT);
  rows.value = gather_as(problem.comm, value, MPI_DOUBLE);
  return rows;
}

}  // namespace scree::contact_dynamics
