/// Arrays of numbers from Python.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <span>

namespace scree::python {

using Numbers = pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast>;

/// @returns all numbers of an array, in C order; valid as long as the array.
inline std::span<const double> numbers(const Numbers& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

}  // namespace scree::python
