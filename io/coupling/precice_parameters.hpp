/// Entry /coupling of a deck: names in the configuration of preCICE.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/parameters/parameters.hpp"
#include "core/parameters/value.hpp"
#include "io/deck/diagnostics.hpp"

namespace scree::coupling {

/// A boundary of the deck with the names that preCICE's configuration has for it.
struct PreciceSurface {
  std::string boundary, mesh;
  std::string displacement;  ///< data that is read [m]
  std::string force;         ///< data that is written [N]; or
  std::string traction;      ///< force over the area of a vertex [Pa]; one of the two is empty
};

struct PreciceCoupling {
  std::string config;  ///< path of preCICE's configuration, from the working directory
  std::string participant;
  std::vector<PreciceSurface> surfaces;
};

/// Specification of /coupling of a deck.
ParameterSpec coupling_specification();
/// @param deck checked, with the entry; what is wrong in it is left out. @param file of the deck, from whose
/// folder relative paths start.
PreciceCoupling read_coupling(const Value& deck, const std::filesystem::path& file, Diagnostics& diagnostics);

}  // namespace scree::coupling
