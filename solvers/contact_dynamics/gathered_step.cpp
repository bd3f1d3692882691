#include "solvers/contact_dynamics/gathered_step.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "assembly/callback_guard.hpp"
#include "assembly/exchange.hpp"

namespace scree::contact_dynamics {
namespace {

/// Bodies of a rank, and its contacts with numbers over all ranks in place of indices.
struct ShareOfStep {
  std::vector<StepBody> bodies;
  std::vector<Constraint> constraints;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("bodies", self.bodies, "");
    archive("constraints", self.constraints, "");
  }
};

/// What the ranks get back, in the order of their bodies and contacts.
struct SolvedShare {
  std::vector<double> velocities, normal;
  std::vector<Vec3> tangential;
  OneStepReport report;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("velocities", self.velocities, "m/s, rad/s");
    archive("normal", self.normal, "N");
    archive("tangential", self.tangential, "N");
    archive("report", self.report, "");
  }
};

ShareOfStep share_of(const StepProblem& problem) {
  ShareOfStep share;
  share.bodies.assign(problem.bodies.begin(), problem.bodies.begin() + problem.owned);
  share.constraints = problem.constraints;
  for (Constraint& contact : share.constraints) {
    contact.a = static_cast<int>(problem.bodies[contact.a].number);
    if (contact.b >= 0) contact.b = static_cast<int>(problem.bodies[contact.b].number);
  }
  return share;
}

/// The step of all ranks, on rank 0.
class WholeStep {
 public:
  /// @param mine that of rank 0: for what is the same on all ranks. @param shares ascending by rank.
  WholeStep(const StepProblem& mine, const std::vector<Parcel>& shares) : problem_(mine) {
    problem_.comm = MPI_COMM_SELF;
    std::vector<StepBody> bodies;
    std::vector<Constraint> contacts;
    for (const Parcel& parcel : shares) {
      const auto share = from_bytes<ShareOfStep>(parcel.bytes);
      bodies.insert(bodies.end(), share.bodies.begin(), share.bodies.end());
      contacts.insert(contacts.end(), share.constraints.begin(), share.constraints.end());
      sizes_.push_back({share.bodies.size(), share.constraints.size()});
    }
    arrange_bodies(bodies);
    arrange_contacts(contacts);
  }

  [[nodiscard]] std::vector<Parcel> solve(const OneStepOptions& options) const {
    const ContactOperator op(problem_);
    const OneStepResult result = solve_one_step(problem_, op, options);
    const petsc::ConstVecValues velocities(result.velocities);
    const petsc::ConstVecValues normal(result.normal);
    std::vector<Parcel> parcels;
    std::size_t body = 0, contact = 0;
    for (const auto& [bodies, contacts] : sizes_) {
      SolvedShare share;
      share.report = result.report;
      for (const std::size_t end = body + bodies; body < end; ++body) {
        const double* of_body = velocities.data() + kBodyUnknowns * std::ptrdiff_t{place_of_body_[body]};
        share.velocities.insert(share.velocities.end(), of_body, of_body + kBodyUnknowns);
      }
      for (const std::size_t end = contact + contacts; contact < end; ++contact) {
        share.normal.push_back(normal.data()[place_of_contact_[contact]]);
        share.tangential.push_back(result.tangential[place_of_contact_[contact]]);
      }
      parcels.push_back({static_cast<int>(parcels.size()), to_bytes(share)});
    }
    return parcels;
  }

 private:
  /// @returns where each item comes in this order; equal ones stay in theirs.
  template <class Key>
  static std::vector<int> places(std::size_t count, Key&& key) {
    std::vector<int> order(count), place(count);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, key);
    for (std::size_t k = 0; k < count; ++k) place[order[k]] = static_cast<int>(k);
    return place;
  }

  /// Numbers over all ranks depend on who owns a body, its id does not.
  void arrange_bodies(const std::vector<StepBody>& bodies) {
    place_of_body_ = places(bodies.size(), [&](int k) { return bodies[k].id; });
    problem_.owned = static_cast<int>(bodies.size());
    problem_.bodies.resize(bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      StepBody& body = problem_.bodies[place_of_body_[k]];
      body = bodies[k];
      body.number = place_of_body_[k];
    }
  }

  /// All contacts of a pair are on one rank, and the lists of any number of ranks have them in the same
  /// order: that of ids, what moves as prescribed behind the bodies.
  void arrange_contacts(std::vector<Constraint>& contacts) {
    for (Constraint& contact : contacts) {
      contact.a = place_of_body_[contact.a];
      if (contact.b >= 0) contact.b = place_of_body_[contact.b];
    }
    place_of_contact_ = places(contacts.size(), [&](int k) {
      const int b = contacts[k].b;
      return std::pair(contacts[k].a, b < 0 ? std::numeric_limits<int>::max() : b);
    });
    problem_.constraints.resize(contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k)
      problem_.constraints[place_of_contact_[k]] = contacts[k];
  }

  StepProblem problem_;
  std::vector<std::pair<std::size_t, std::size_t>> sizes_;  ///< bodies and contacts per rank
  std::vector<int> place_of_body_, place_of_contact_;       ///< in the order of ranks
};

/// Log entries have to come up in the same order on all ranks; those of the solver would on rank 0 alone.
void name_log_entries() {
  [[maybe_unused]] static const std::array<petsc::LogEvent, 4> events{
      petsc::LogEvent("ScreeOneStep"), petsc::LogEvent("ScreeContactPC"),
      petsc::LogEvent("ScreeContactHessian"), petsc::LogEvent("ScreeContactNewton")};
}

}  // namespace

OneStepResult solve_one_step_of_ranks(const StepProblem& problem, const ContactOperator& op,
                                      const OneStepOptions& options) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(problem.comm, &ranks);
  MPI_Comm_rank(problem.comm, &rank);
  PetscInt bodies = problem.owned;
  MPI_Allreduce(MPI_IN_PLACE, &bodies, 1, MPIU_INT, MPI_SUM, problem.comm);
  if (ranks == 1 || bodies > kMostBodiesOnOneRank) return solve_one_step(problem, op, options);
  name_log_entries();
  const std::vector<Parcel> shares = exchange_parcels(problem.comm, {{0, to_bytes(share_of(problem))}});
  std::vector<Parcel> solved;
  petsc::CallbackGuard(problem.comm).call([&] {
    if (rank == 0) solved = WholeStep(problem, shares).solve(options);
  });
  const std::vector<Parcel> answer = exchange_parcels(problem.comm, solved);
  auto share = from_bytes<SolvedShare>(answer.front().bytes);
  OneStepResult result;
  result.velocities = op.per_body();
  result.normal = op.per_contact();
  std::ranges::copy(share.velocities, petsc::VecValues(result.velocities).data());
  std::ranges::copy(share.normal, petsc::VecValues(result.normal).data());
  result.tangential = std::move(share.tangential);
  result.report = std::move(share.report);
  return result;
}

}  // namespace scree::contact_dynamics
