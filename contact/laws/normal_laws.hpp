/// The normal laws of this version. A new law is its own file in contact/laws/ and a line in each of the two
/// lists here; the deck, its schema and checks, docs/input.md and the evaluation of contacts follow from the
/// list.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "contact/laws/barrier.hpp"
#include "contact/laws/dmt.hpp"
#include "contact/laws/hertz.hpp"
#include "contact/laws/hooke.hpp"
#include "contact/laws/normal_law_traits.hpp"
#include "contact/laws/rigid.hpp"
#include "core/type_list.hpp"

namespace scree::contact {

/// In the order of docs/input.md; the first is that of an Interface that is not set.
using NormalLaws = TypeList<  //
    BarrierLaw,               //
    HookeLaw,                 //
    HertzLaw,                 //
    DmtLaw,                   //
    RigidLaw>;

template <NormalLawType Law>
using ParametersOf = typename Law::Parameters;

using AnyNormalLaw = NormalLaws::Into<std::variant>;
/// Parameters of one of the laws.
using NormalParameters = NormalLaws::IntoEach<std::variant, ParametersOf>;

/// @returns the law that parameters are of.
AnyNormalLaw make_law(const NormalParameters& parameters);

/// @returns traits of the law that parameters are of.
const LawTraits& traits_of(const NormalParameters& parameters);

/// @returns traits of the law that a deck names. @param name of a registered law.
const LawTraits& traits_of(const std::string& name);

/// @returns names of the laws whose traits `is` says yes to, in the order of the list.
std::vector<std::string> law_names(bool (*is)(const LawTraits&));

/// @returns `the law "a"`, or `the laws "a" and "b"`, of those laws.
std::string laws_in_words(bool (*is)(const LawTraits&));

}  // namespace scree::contact
