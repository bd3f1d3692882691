/// How numbers and names are written: in files so that they read back exactly, on screen so that they are
/// read at a glance.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "solvers/model.hpp"

namespace scree {

/// Adds the shortest decimal that reads back as exactly this double ("0.1", "1e-09", "inf", "nan"); integers
/// below 1e15 in full.
void append_number(std::string& to, double value);

/// @returns a field of a CSV file, in quotes if it holds a comma, a quote or a line break (RFC 4180).
std::string csv_field(std::string_view text);

/// @returns name of the deck's shape that a shape is a multiple of ("block" for "block*1.2"), or its own.
std::string family_of(const Shape& shape);

/// Which shape of the deck the shapes of a model are: a deck that gives sizes has many of one.
struct ShapeFamilies {
  std::vector<std::string> names;  ///< of the deck, in its order; behind them spheres by a radius of a file
  std::vector<int> of_shape;       ///< by shape: index into `names`
};
ShapeFamilies shape_families(const Model& model);

/// @returns how many bodies there are of each such name, in their order; none without a body.
/// @throws std::logic_error if bodies of other ranks were released (Model::keep_own_block).
std::vector<std::pair<std::string, long>> bodies_by_family(const Model& model);

/// @returns the name of a body, or its number if it has none: how files and messages call it.
std::string body_label(const Model& model, BodyId body);
/// @returns the name of a boundary, or "boundary N" if it has none.
std::string boundary_label(const Model& model, int boundary);

/// @returns a duration to read: "0.42 s", "12 s", "3 min 05 s", "2 h 07 min", "3 d 04 h".
std::string duration_text(double seconds);
/// @returns a number of bytes to read: "950 B", "1.2 MB", "16 GB".
std::string bytes_text(double bytes);
/// @returns "1 step", "12 steps".
std::string counted(long number, std::string_view one, std::string_view many);

}  // namespace scree
