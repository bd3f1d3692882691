/// Bodies that an earlier run has saved: in a final state or a checkpoint.
#pragma once

#include <string>

#include "io/build/builder_parts.hpp"

namespace scree::builder {

/// @returns the shape that a saved state calls so: one of the deck, NAME*FACTOR of one, or "sphere RADIUS";
/// -1 if the deck has none such.
int shape_of_state(Build& build, const std::string& name);

/// @returns number of the sphere of a radius [m] > 0.
int sphere_of_radius(Build& build, double radius);

/// Bodies of a checkpoint, with the history of their contacts and their bonds. What does not fit this deck is
/// named in notes.
void add_bodies_of_checkpoint(Build& build, const Value& values);

}  // namespace scree::builder
