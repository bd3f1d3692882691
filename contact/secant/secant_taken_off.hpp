/// Edge pairs that take off more than they add, over a step (contact/pair/taken_off.hpp, theory 11 section
/// 3).
#pragma once

#include "contact/laws/normal_law.hpp"
#include "contact/pair/pair.hpp"
#include "contact/pair/pair_slip.hpp"

namespace scree::contact {

/// Sets which part of the forces of an edge pair acts, and what of its energy counts.
/// @param contact with the signed sum at the end as its energy. @param[in,out] stored_n that at the start
/// [J].
void limit_taken_off(Active& contact, double& stored_n, const NormalLaw& law, const PairConstants& pair);

/// Change of the weight of an edge pair of which only a part acts (Active::part) with the sum at the end.
/// @param r from B's pole to A's [m].
Row12 d_part(const BodyPair& pair, const Active& contact, const BodyView& view_a, const BodyView& view_b,
             const NormalLaw& law, const Vec3& r);

}  // namespace scree::contact
