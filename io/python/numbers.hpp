/// Arrays of numbers from Python.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace scree::python {

/// An array in C order, made of whatever NumPy makes an array of, if nothing is lost on the way: neither the
/// imaginary part of a complex number nor the fraction of one that numbers a vertex.
template <class T>
struct Values {
  using Array = pybind11::array_t<T, pybind11::array::c_style | pybind11::array::forcecast>;
  Array array;
  static constexpr std::string_view kKinds = std::is_integral_v<T> ? "iu" : "iufb";  ///< of NumPy's dtypes
};

using Numbers = Values<double>;
using Integers = Values<std::int64_t>;

/// @returns all numbers of an array, in C order; valid as long as the array.
template <class T>
std::span<const T> numbers(const Values<T>& values) {
  return {values.array.data(), static_cast<std::size_t>(values.array.size())};
}

}  // namespace scree::python

namespace pybind11::detail {

template <class T>
struct type_caster<scree::python::Values<T>> {
  using Given = scree::python::Values<T>;
  PYBIND11_TYPE_CASTER(Given, const_name("numpy.ndarray"));

  /// @throws type_error (TypeError in Python) with the dtype that was got. @throws value_error (ValueError)
  /// if entries are masked: what lies under a mask is no data.
  bool load(handle source, bool /*convert*/) {
    if (source.is_none()) return false;  // an argument that may be left out
    if (isinstance<array>(source) && hasattr(source, "mask") &&
        module_::import("numpy.ma").attr("is_masked")(source).cast<bool>())
      throw value_error(
          "got a masked array with masked entries; expected a value for each, as of its filled()");
    const array given = array::ensure(source);
    if (!given) {
      PyErr_Clear();
      return false;
    }
    if (given.size() > 0 && Given::kKinds.find(given.dtype().kind()) == std::string_view::npos)
      throw type_error(std::string("got an array of ") + std::string(str(given.dtype())) + "; expected " +
                       (std::is_integral_v<T> ? "whole numbers" : "real numbers"));
    value.array = Given::Array::ensure(given);
    return static_cast<bool>(value.array);
  }
};

}  // namespace pybind11::detail
