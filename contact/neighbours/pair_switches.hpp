/// Pairs that are near, but do not touch: of boundaries that are switched off, and of bonded bodies.
#pragma once

#include <vector>

#include "contact/forces/central_pair.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/body.hpp"

namespace scree::contact {

class PairSwitches {
 public:
  PairSwitches(TrialGeometry& geometry, PairList& list, const PairGaps& gaps, PairResults& results)
      : geometry_(&geometry), list_(&list), gaps_(&gaps), results_(&results) {}

  /// Switches boundaries on and off. @param active per boundary part.
  void set_boundaries(const Bodies& bodies, const std::vector<char>& active);
  /// Takes contact away from bonded bodies, and gives it back to those whose bond broke.
  /// @param bonds sorted by ids, with all that live between owned bodies and others.
  void set_bonds(const Bodies& bodies, const std::vector<CentralPair>& bonds);

 private:
  TrialGeometry* geometry_;
  PairList* list_;
  const PairGaps* gaps_;
  PairResults* results_;
};

}  // namespace scree::contact
