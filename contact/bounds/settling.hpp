/// Bodies that come to rest on each other (theory 11 section 9).
#pragma once

#include <vector>

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/body.hpp"

namespace scree::contact {

/// A step, for what may come to rest in it.
struct RestStep {
  double h = 0;                 ///< [s]
  double time = 0;              ///< a time within it, for what is switched in time [s]
  double slow = 0;              ///< speed up to which bodies count as slow [m/s]
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]
  bool detailed = false;        ///< impacts and waves are resolved: undamped contacts stay undamped
};

class Settling {
 public:
  Settling(const ContactModel& model, const TrialGeometry& geometry, PairList& list)
      : model_(&model), geometry_(&geometry), list_(&list) {}

  struct Weights {                 // per local body
    std::vector<double> settling;  ///< how far it is from flight towards rest, in [0, 1]
    std::vector<char> hit;       ///< whether it is in flight, however stiff its contacts are; with hand_on()
    std::vector<double> struck;  ///< 1 where something strikes it in this step or the one before
  };

  /// How far owned bodies are from flight towards rest: 1 for bodies all of whose contacts open and close
  /// slowly, and are stiff against the step. Also the contacts of each pair (BodyPair::settling), whatever
  /// their bodies do along them. What is known of ghosts is not complete.
  [[nodiscard]] Weights weigh(const Bodies& bodies, const RestStep& step);
  /// What is struck hands the impact on: nothing that it touches comes to rest in this step.
  /// @param weights of weigh(), with `struck` of ghosts as their owners have it; that of walls is not read.
  void hand_on(const Bodies& bodies, Weights& weights);
  /// @returns per local body the largest normal force on it at the accepted state, of those of its contacts
  /// that this rank knows: all of an owned body [N].
  [[nodiscard]] std::vector<double> support(const Bodies& bodies) const;
  /// What the forces by which contacts come to rest took in the solution of the step, this rank's share [J].
  [[nodiscard]] double taken(const Bodies& bodies) const;
  /// Leaves them out in pairs where they made energy, until `restore`.
  void leave_out();
  void restore();

 private:
  const ContactModel* model_;
  const TrialGeometry* geometry_;
  PairList* list_;
  bool left_out_ = false;
};

}  // namespace scree::contact
