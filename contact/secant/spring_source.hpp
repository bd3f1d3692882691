/// Which spring a contact begins a step with.
#pragma once

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// History entry whose spring and limit a contact has, see secant_slip: a contact takes over those of one
/// that it succeeds and that is gone.
const HistoryEntry* source_of(const BodyPair& pair, const Active& contact);

}  // namespace scree::contact
