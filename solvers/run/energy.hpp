/// The energy balance: work and dissipation of each mechanism.
#pragma once

#include <optional>
#include <vector>

#include "contact/forces/contact_totals.hpp"
#include "contact/pair/pair_commit.hpp"
#include "solvers/observer.hpp"
#include "solvers/world/domain.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// What bodies do to a part of a boundary, and where it is.
struct BoundaryLoad {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 moment = Vec3::Zero();  ///< about its pole [N m]
  Vec3 x = Vec3::Zero();       ///< pole [m]
  Quat q = Quat::Identity();
  std::vector<Vec3> vertices, forces;  ///< of a coupled one instead: where they are, and what is on them

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("force", self.force, "N");
    archive("moment", self.moment, "N m");
    archive("position", self.x, "m");
    archive("orientation", self.q, "");
    archive("vertices", self.vertices, "m");
    archive("vertex_forces", self.forces, "N");
  }
};

class EnergyAccount {
 public:
  /// Opens the account at the accepted state. Collective.
  explicit EnergyAccount(const World& world, double time);
  /// Books an accepted step. @param losses this rank's share [J]. Dashpots do not make energy, nor do impacts
  /// and friction of rigid bodies together: where their forces did in a step, that is the method's doing, and
  /// is left in the balance error. Collective: one reduction.
  /// @param work of loads, this rank's share; without it, that of the mean power of the ends of the step.
  void book(const World& world, double time, double h, const contact::StepLosses& losses,
            const std::optional<elements::LoadWork>& work = {});
  /// Books a load step of a quasi-static analysis: what contact and weight have lost, and nothing accounts
  /// for, was released during relaxation. @param losses, work of dead loads, work of fluid forces:
  /// this rank's share [J]. Collective.
  void book_load_step(const World& world, double time, const contact::StepLosses& losses, double work,
                      double fluid_work);
  /// Records inserted and removed bodies at the accepted state. If none left, all that changes is inflow.
  /// @param brought by inserted ones, all ranks [J]. @param settled, left see Population. Collective.
  void book_exchange(const World& world, double time, double brought, bool settled, bool left);
  /// Books what contacts had stored that were switched off at the accepted state, and what those store that
  /// were switched on; also what another deck changes in potential and stored energy. Forces are those of the
  /// world as it is now. @returns the change of the total energy, > 0: inflow [J]. Collective.
  double book_switch(const World& world, double time);
  [[nodiscard]] const EnergyLedger& ledger() const { return ledger_; }
  /// Contacts of all ranks at the last booking.
  [[nodiscard]] const contact::ContactTotals& contacts() const { return totals_; }
  [[nodiscard]] double max_velocity() const { return max_velocity_; }
  [[nodiscard]] const Domain& domain() const { return domain_; }
  /// Bonds of all ranks that live at the last booking, and that broke since the start.
  [[nodiscard]] long bonds() const { return bonds_; }
  [[nodiscard]] long broken_bonds() const { return first_bonds_ - bonds_; }

  /// A body of the worst pair at EnergyLedger::attraction; -1: none.
  [[nodiscard]] BodyId attracted() const { return attracted_; }

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("domain", self.domain_, "");
    archive("ledger", self.ledger_, "");
    archive("outside", self.outside_, "J");
    archive("totals", self.totals_, "");
    archive("max_velocity", self.max_velocity_, "m/s");
    archive("power_of_loads", self.power_n_, "W");
    archive("power_of_fluids", self.fluid_power_n_, "W");
    archive("bonds", self.bonds_, "");
    archive("first_bonds", self.first_bonds_, "");
    archive("boundaries", self.boundaries_, "");
    archive("lag", self.lag_, "J");
    archive("overlap", self.overlap_, "J");
    archive("attracted", self.attracted_, "");
  }

 private:
  void measure(const World& world, double time, double h, const contact::StepLosses& losses,
               const std::optional<elements::LoadWork>& work = {});
  /// Books what impacts of rigid bodies took, and what the way out of overlap gave back (theory 07 section
  /// 6).
  /// @param loss, lag, overlap of the step, all ranks [J]. @param rising lag that bodies have because they
  /// move up, and lose again [J].
  void book_impacts(double loss, double lag, double overlap, double rising);
  [[nodiscard]] static std::vector<BoundaryLoad> boundary_loads(const World& world);
  /// Notes the worst attraction so far. @param own of this rank, all over ranks [J]. Collective.
  void note_attraction(const World& world, double time, const contact::ContactTotals& own, double all);
  /// Updates the reference energy and the extremes of the balance error, see EnergyLedger.
  void refer(double time);
  Domain domain_;
  EnergyLedger ledger_;
  double outside_ = 0;  ///< potential that bodies have lost outside of the domain, all ranks [J]
  contact::ContactTotals totals_;
  double max_velocity_ = 0, power_n_ = 0, fluid_power_n_ = 0;
  long bonds_ = 0, first_bonds_ = 0;
  std::vector<BoundaryLoad> boundaries_;  ///< at the last booking, per part; empty if none moves
  /// Contact dynamics: sum of StepLosses::lag that no loss has taken up; what the overlap of the start may
  /// still give, negative before the first step [J].
  double lag_ = 0, overlap_ = -1;
  BodyId attracted_ = -1;
};

}  // namespace scree
