/// Which pairs have blocks in the tangent, and where these are.
#pragma once

#include <vector>

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "core/body.hpp"
#include "core/local_system.hpp"

namespace scree::contact {

class PairBlocks {
 public:
  PairBlocks(const ContactModel& model, PairList& list, const PairGaps& gaps)
      : model_(&model), list_(&list), gaps_(&gaps) {}

  /// Couplings that the tangent needs: pairs nearer than `distance` beyond the threshold. Marks them.
  /// @param[out] couplings appended (row, col), owned rows only are meaningful.
  void add_couplings(const Bodies& bodies, double distance, std::vector<LocalSystem::Coupling>& couplings);
  /// After LocalSystem::set_couplings: finds each pair's blocks.
  void locate(const Bodies& bodies, const LocalSystem& system);
  /// Whether a pair without blocks may come within the threshold when bodies move by up to `travel` [m] each.
  [[nodiscard]] bool more_needed(double travel) const;

 private:
  const ContactModel* model_;
  PairList* list_;
  const PairGaps* gaps_;
};

}  // namespace scree::contact
