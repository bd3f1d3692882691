/// Which bodies are near each other: pairs with their memory, found by searches.
#pragma once

#include <optional>
#include <vector>

#include "contact/neighbours/body_motion.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/pair/pair.hpp"
#include "contact/search/broad_phase.hpp"
#include "core/body.hpp"

namespace scree::contact {

/// Whether this rank counts the pair in sums over all ranks.
inline bool counted(const Bodies& bodies, const BodyPair& pair) { return bodies.is_owned(pair.a); }

/// What a step needs of a pair before it looks at the pair itself: pairs are large and many.
struct AwakePair {
  int pair = 0, a = 0, b = 0;
};

class PairList {
 public:
  PairList(const ContactModel& model, TrialGeometry& geometry, BodyMotion& motion, PairResults& results)
      : model_(&model), geometry_(&geometry), motion_(&motion), results_(&results) {}

  /// Searches for near bodies at the accepted state; keeps memory and candidates of pairs that stay.
  /// @param travel  how far a body may move before the next search is due [m].
  void search(const Bodies& bodies, double travel);
  /// Largest displacement since the search that the list still covers [m].
  [[nodiscard]] double covered_travel() const { return travel_; }

  /// Sorted by ids, then images.
  [[nodiscard]] const std::vector<BodyPair>& pairs() const { return pairs_; }
  [[nodiscard]] std::vector<BodyPair>& pairs() { return pairs_; }

  /// The pairs that a step looks at, ascending.
  [[nodiscard]] const std::vector<AwakePair>& awake() const { return awake_; }
  /// Motion of a body in a step up to which the others may sleep [m].
  [[nodiscard]] double awake_travel() const { return awake_travel_; }
  /// Nobody sleeps, however far bodies move.
  void wake_everybody();
  /// Begins a choice of the pairs that are awake, by `add_awake` in ascending order.
  void begin_choice(double travel);
  void add_awake(int pair) { awake_.push_back({pair, pairs_[pair].a, pairs_[pair].b}); }

  /// @returns the memory of all pairs of this rank, or of those of one body.
  [[nodiscard]] std::vector<PairMemory> memory(std::optional<BodyId> body = {}) const;
  /// Takes memory over; the next `search` gives it to the pairs that are there. A pair may come twice.
  void remember(const std::vector<PairMemory>& memory);
  /// The same with memory of another run, whose walls may have been elsewhere. @param bodies at the start,
  /// not brought back into a periodic cell since the images of the memory were counted.
  void take_over(const std::vector<PairMemory>& memory, const Bodies& bodies);
  /// Clears all pairs and their history: `remember` and `search` rebuild them.
  void forget();

 private:
  /// Gives each near pair its place, in that order: pairs that stay keep what they know, others begin anew.
  void arrange(const std::vector<NearPair>& near, const Bodies& bodies);
  /// Reserves memory for this many pairs and for more that these bodies may come to.
  void make_room(std::size_t count, std::size_t bodies);

  const ContactModel* model_;
  TrialGeometry* geometry_;
  BodyMotion* motion_;
  PairResults* results_;
  std::vector<BodyPair> pairs_;
  std::vector<BodyPair> incoming_;  ///< memory that migrated here, until the next search
  std::vector<AwakePair> awake_;
  double travel_ = 0, awake_travel_ = 0;
};

}  // namespace scree::contact
