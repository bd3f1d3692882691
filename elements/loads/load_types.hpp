/// The loads of this version on bodies, besides gravity. A new load is its own file in elements/loads/ and a
/// line in each of the two lists here; the deck, its schema and checks, docs/input.md, residuals and energies
/// follow. Loads between bodies: contact/.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/parameters/registry.hpp"
#include "core/type_list.hpp"
#include "elements/loads/drag.hpp"
#include "elements/loads/force.hpp"
#include "elements/loads/load_traits.hpp"
#include "elements/loads/magnus.hpp"
#include "elements/loads/moment.hpp"

namespace scree::elements {

/// In the order of docs/input.md.
using LoadTypes = TypeList<  //
    ForceLoad,               //
    MomentLoad,              //
    DragLoad,                //
    MagnusLoad>;

template <LoadType... Loads>
using LoadVariant = std::variant<Loads...>;

/// One of the loads.
using Load = LoadTypes::Into<LoadVariant>;

/// Makes a load of checked values. @param body that "body" names, for loads on one body. @param faults gets
/// what is wrong between keys.
using LoadFactory = Load (*)(const Value& values, BodyId body, std::vector<Diagnostic>& faults);

const std::vector<Registered<LoadFactory>>& registered_loads();

/// @returns specifications of all loads, in the order of the list.
std::vector<Specification> load_specifications();

/// @returns names of the loads whose traits `is` says yes to, in the order of the list.
std::vector<std::string> load_names(bool (*is)(const LoadTraits&));

}  // namespace scree::elements
