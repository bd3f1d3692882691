/// Which pairs have blocks in the tangent, and where these are.
#pragma once

#include <vector>

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "core/body.hpp"
#include "core/local_system.hpp"

namespace scree::contact {

/// Motion that is foreseen of the bodies of this rank.
struct ForeseenMotion {
  std::vector<Vec3> ways;     ///< displacement per moving body [m]
  std::vector<double> turns;  ///< ... and what points of its surface move by rotation, at most [m]

  /// @returns how far two bodies may come towards each other [m].
  [[nodiscard]] double between(int a, int b) const {
    return (ways[a] - ways[b]).norm() + turns[a] + turns[b];
  }
};

class PairBlocks {
 public:
  PairBlocks(const ContactModel& model, PairList& list, const PairGaps& gaps, PairResults& results)
      : model_(&model), list_(&list), gaps_(&gaps), results_(&results) {}

  /// No pair of bodies has blocks any more.
  void uncouple(const Bodies& bodies);
  /// Gives blocks to pairs that have none: those in contact at the last evaluation, and those that are nearer
  /// than `skin` [m] beyond the threshold after a motion.
  /// @param[out] couplings those of these pairs, appended (row, col); owned rows only are meaningful.
  void couple(const Bodies& bodies, const ForeseenMotion& motion, double skin,
              std::vector<LocalSystem::Coupling>& couplings);
  /// After LocalSystem has the couplings: finds each pair's blocks.
  void locate(const Bodies& bodies, const LocalSystem& system);
  /// Whether a pair without blocks may come within the threshold by a motion.
  [[nodiscard]] bool more_needed(const ForeseenMotion& motion) const;

 private:
  [[nodiscard]] bool may_touch(const BodyPair& pair, const ForeseenMotion& motion, double skin) const;

  const ContactModel* model_;
  PairList* list_;
  const PairGaps* gaps_;
  PairResults* results_;
};

}  // namespace scree::contact
