/// How far the lists of pairs that are near look ahead.
#pragma once

#include <mpi.h>

#include "core/body.hpp"

namespace scree {

/// The displacement of each body that lists should cover, so that they last some steps [m]: nine where that
/// is a small part of the bodies, else as few as `limits` of the next step need (kSeenByLimits), because the
/// number of pairs grows as the third power. @param way of the fastest body in a step [m]. @param scale of
/// the contact laws [m]. Collective.
double list_travel(const Bodies& bodies, double way, double scale, MPI_Comm comm);

/// A list is renewed before a step in which bodies may move by `way` if it does not cover so many times that
/// beyond what the step itself needs. Limits of the next step, which may be 1.4 times as long, then see all
/// bodies that it brings together, whatever the age of the list.
inline constexpr double kSeenByLimits = 0.9;

}  // namespace scree
