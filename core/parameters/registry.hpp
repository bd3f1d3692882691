/// From a name in the deck to a specification and what makes the thing. Filled by explicit calls: a linker
/// may drop static initialisers from a library.
#pragma once

#include <string>
#include <vector>

#include "core/parameters/parameters.hpp"

namespace scree {

/// @param Factory pointer to the function that makes the thing of checked values.
template <class Factory>
struct Registered {
  Specification specification;
  Factory make;
};

/// @returns the entry of that name, nullptr without one.
template <class Factory>
const Registered<Factory>* find_registered(const std::vector<Registered<Factory>>& entries,
                                           const std::string& name) {
  for (const auto& entry : entries) {
    if (entry.specification.name == name) return &entry;
  }
  return nullptr;
}

/// @returns the entries' specifications, followed by those that the contract names and this version lacks.
template <class Factory>
std::vector<Specification> specifications(const std::vector<Registered<Factory>>& entries,
                                          const std::vector<std::string>& unavailable) {
  std::vector<Specification> all;
  all.reserve(entries.size() + unavailable.size());
  for (const auto& entry : entries) all.push_back(entry.specification);
  for (const auto& name : unavailable) all.push_back(unavailable_specification(name));
  return all;
}

}  // namespace scree
