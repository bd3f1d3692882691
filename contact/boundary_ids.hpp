/// Ids of boundary parts, which contact takes for bodies.
#pragma once

#include "core/body.hpp"

namespace scree::contact {

/// Ids of boundary parts begin here, above all bodies.
inline constexpr BodyId kFirstBoundaryId = BodyId{1} << 40;

}  // namespace scree::contact
