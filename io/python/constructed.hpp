/// Objects from Python that were never made: `__new__` without `__init__`, or one that failed.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <typeinfo>

namespace scree::python {

/// Classes whose objects are refused as arguments until they are made: pybind11 hands on memory that nobody
/// has set otherwise.
template <class T>
inline constexpr bool kRefusedUntilMade = false;

}  // namespace scree::python

namespace pybind11::detail {

template <class T>
requires scree::python::kRefusedUntilMade<T>
class type_caster<T> : public type_caster_base<T> {
 public:
  /// @throws type_error (TypeError in Python) for an object that was not made.
  bool load(handle source, bool convert) {
    const type_info* known = get_type_info(typeid(T));
    if (known != nullptr && PyObject_TypeCheck(source.ptr(), known->type) != 0 &&
        reinterpret_cast<instance*>(source.ptr())->get_value_and_holder(known).value_ptr() == nullptr)
      throw type_error("got an object of " + std::string(str(type::handle_of(source).attr("__name__"))) +
                       " whose __init__() was not called, or failed");
    return type_caster_base<T>::load(source, convert);
  }
};

}  // namespace pybind11::detail
