/// Bodies that come to rest on each other (theory 11 section 4).
#pragma once

#include <vector>

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "core/body.hpp"

namespace scree::contact {

class Settling {
 public:
  Settling(const ContactModel& model, const PairList& list) : model_(&model), list_(&list) {}

  /// How far owned bodies are from flight towards rest, in [0, 1]: 1 for bodies all of whose contacts open
  /// and close more slowly than some `slow` [m/s], and are stiff against the step h [s]; 0 for those that
  /// something comes near to. @param[out] settling per local body; those of ghosts are not complete.
  void weigh(const Bodies& bodies, double h, double slow, std::vector<double>& settling) const;

 private:
  const ContactModel* model_;
  const PairList* list_;
};

}  // namespace scree::contact
