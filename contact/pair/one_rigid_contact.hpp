/// One contact of rigid bodies, as it is listed.
#pragma once

#include <cstdint>

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Adds a contact without a force. @param gap what pair.nearest hears of [m]; that of the term unless an
/// overlap is to be judged less deep than it is pushed out.
void add_rigid_contact(BodyPair& pair, std::uint64_t key, const Term& term);
void add_rigid_contact(BodyPair& pair, std::uint64_t key, const Term& term, double gap);

}  // namespace scree::contact
