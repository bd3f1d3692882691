/// Velocities after an energy-consistent step: what impacts dissipate, as the coefficient of restitution has
/// it, and the limits on impulses of friction and of rolling resistance (theory 11 section 6).
#pragma once

#include <string>
#include <vector>

#include "contact/secant/impact.hpp"
#include "solvers/compliant/compliant_problem.hpp"
#include "solvers/dynamic/impact_system.hpp"
#include "solvers/dynamic/impact_weights.hpp"
#include "solvers/dynamic/normal_row.hpp"
#include "solvers/dynamic/steady_loads.hpp"

namespace scree {

/// Energies of an impact update, this rank's share [J].
struct ImpactEnergy {
  double damping = 0;   ///< dissipated by restitution
  double friction = 0;  ///< by contacts that stick, less what is given back of sliding and rolling
  /// Done by boundaries that move; of those that deform what is not in the forces on their vertices.
  double work_of_boundaries = 0;
  /// Dissipated by friction and rolling resistance in the solution before the update, less what the update
  /// adds to their springs; booked with the contacts.
  double before = 0;
};

class ImpactUpdate {
 public:
  /// @param problem outlives this object.
  explicit ImpactUpdate(CompliantProblem& problem) : problem_(&problem), system_(problem.world()) {}

  /// Changes the velocities of the owned bodies' trial states at the solution of the step. Energy never grows
  /// beyond what friction has taken in this step; momentum stays, each impulse acts on two bodies at one
  /// point. The problem has to be evaluated anew before it is used again. Nothing happens without contacts,
  /// or where impulses are a small part of `tolerance` [N] over the step, that of the residual: bodies at
  /// rest.
  /// @returns a failure in words, on all ranks; "" if not. Collective.
  [[nodiscard]] std::string apply(double tolerance, ImpactEnergy& energy);
  /// Lets the linear solver read its options, see ImpactSystem, with the inertia of the bodies as its matrix:
  /// impacts are not known yet. The problem has been prepared for a step. Collective.
  void rehearse();
  /// Whether the last `apply` needed a direct solver where iterations did not reach the tolerance.
  [[nodiscard]] bool factored() const { return factored_; }
  /// Of the last `apply`: largest angle by which the impact of a body with one other turns it
  /// (impact_turn.hpp).
  [[nodiscard]] double turn() const { return turn_; }

 private:
  using Velocity = Vec6;  ///< of a body: v, w
  /// An impact with what the update finds for it.
  struct Contact : contact::Impact {
    Vec3 end = Vec3::Zero();       ///< velocity of A's point relative to B's before the update [m/s]
    Vec3 end_spin = Vec3::Zero();  ///< spin of A relative to B before the update [rad/s]
    NormalRow row{};               ///< along the normal
    double across = 0;             ///< of the rows in the tangent plane [kg]
    SlipAnswer answers{};          ///< to the rows in the tangent plane, in the last solution
    double turn = 0;               ///< of the rows of rolling [kg m^2]
    int coupling_ab = -1, coupling_ba = -1;  ///< blocks of the pair in the system, -1 without one
    Vec3 friction_impulse = Vec3::Zero();    ///< on B [N s]
    Vec3 rolling_impulse = Vec3::Zero();     ///< angular, on B [N m s]
    double taken_along = 0;                  ///< by the update out of the normal impulse [N s]
    Vec6 early = Vec6::Zero();               ///< on A: what is given back before the solution
    Vec6 update = Vec6::Zero();              ///< what the update puts on A, as `taken`, before it gives back
    double wound = 0;                        ///< of what friction takes in it, what its spring stores [J]
    Vec6 back = Vec6::Zero();                ///< of both, beyond their limits: on A if all is given back

    /// Velocity of B, or of its place where it deforms, with its pole.
    [[nodiscard]] const Velocity& of_b(const std::vector<Velocity>& velocity) const {
      return on_place ? place_end : velocity[static_cast<std::size_t>(b)];
    }
    /// Impulse and angular impulse that the update puts on A at the contact. @param parting, spinning after
    /// it.
    [[nodiscard]] Vec6 taken(const Vec3& parting, const Vec3& spinning) const;
  };
  /// Finds the weights of a contact. @param quiet impulse [N s] up to which it is left as it is.
  void weigh(Contact& contact, double quiet);
  /// Spin of A relative to B [rad/s].
  [[nodiscard]] static Vec3 spinning(const Contact& contact, const std::vector<Velocity>& velocity);
  /// Moment of inertia that a couple between the bodies moves [kg m^2].
  [[nodiscard]] double effective_inertia(const Contact& contact, const Vec3& direction) const;
  /// Velocity of A's point relative to B's [m/s].
  [[nodiscard]] Vec3 parting(const Contact& contact, const std::vector<Velocity>& velocity) const;
  /// Mass that a contact moves if its bodies do not turn, or of those that can only turn: the largest that
  /// contacts of a body can share [kg].
  [[nodiscard]] double common_mass(const Contact& contact) const;
  /// Effective mass of a contact in a direction [kg].
  [[nodiscard]] double effective_mass(const Contact& contact, const Vec3& direction) const;
  /// Weighs normal rows anew by the last solution. @returns whether one of them changes by a part that
  /// counts.
  [[nodiscard]] bool correct_normal(std::vector<Contact>& contacts) const;
  /// Gives contacts the weights with which they get the friction that the normal impulses found by the last
  /// solution allow, or hold where that solution makes them slide. @returns as above.
  [[nodiscard]] bool correct_friction(std::vector<Contact>& contacts) const;
  /// Notes what friction and rolling have beyond their limits after the last solution, for the next one.
  /// @returns as above.
  [[nodiscard]] bool correct_excess(std::vector<Contact>& contacts) const;
  /// Normal impulse that is left after the last solution [N s].
  [[nodiscard]] double net_impulse(const Contact& contact) const;
  /// Gives the pairs in contact their blocks. Collective.
  void lay_out(std::vector<Contact>& contacts);
  /// Puts inertia and weights into the system. Collective.
  void fill(const std::vector<Contact>& contacts);
  /// Adds an impulse and an angular impulse on A at a contact, and the opposite ones on B, to those of owned
  /// bodies.
  void add_impulse(const Contact& contact, const Vec6& on_a, std::vector<Vec6>& to) const;
  /// Impulse and angular impulse of the update on A at velocities.
  [[nodiscard]] Vec6 put_on_a(const Contact& contact, const std::vector<Velocity>& velocity) const;
  /// Its right-hand side: what the rows put on each owned body at the velocities before the update.
  [[nodiscard]] std::vector<Vec6> impulses(const std::vector<Contact>& contacts,
                                           const std::vector<Velocity>& start) const;
  /// What friction and rolling of a contact dissipated in the solution of the step [J].
  [[nodiscard]] double lost_in_the_step(const Contact& contact) const;
  /// What the spring of a contact stores of what friction takes in the update, where that gives more than
  /// the limit of the step before [J].
  /// @param now how the bodies part after it.
  [[nodiscard]] double energy_to_wind(const Contact& contact, const Vec3& now) const;
  /// Whether the update with what is given back before it makes more energy than friction has taken.
  /// Collective.
  [[nodiscard]] bool gave_too_much(const std::vector<Contact>& contacts, double kinetic_before) const;
  /// Impulses of friction and rolling beyond what the normal impulses allow, as momenta of the bodies. Notes
  /// at the contacts what the update did.
  /// @param[in,out] energy what the update took; given back first from friction, then from damping.
  void give_back(std::vector<Contact>& contacts, ImpactEnergy& energy);
  /// Work of the boundary of a contact by an impulse on A at it, and what of it is not that of the forces on
  /// vertices over the step [J]. @pre B is a boundary.
  struct WallWork {
    double whole = 0, beside = 0;
  };
  [[nodiscard]] WallWork wall_work(const Contact& contact, const Vec6& on_a) const;
  [[nodiscard]] double kinetic(const std::vector<Velocity>& velocity) const;

  CompliantProblem* problem_;
  ImpactSystem system_;
  bool factored_ = false;
  double turn_ = 0;
  SteadyLoads loads_;
  std::vector<Contact> contacts_;            ///< of the last `apply`: memory that the next one takes
  std::vector<Mat6> mobility_;               ///< per moving body: inverse of its inertia, zero where fixed
  std::vector<Velocity> before_, velocity_;  ///< per local body, boundaries included: at the start, and now
};

}  // namespace scree
