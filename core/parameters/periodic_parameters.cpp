#include "core/parameters/periodic_parameters.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

namespace scree {

ParameterSpec periodic_specification() {
  const auto direction = [](const char* key) {
    return ParameterSpec{.key = key,
                         .kind = ParameterKind::vector,
                         .unit = "m",
                         .description =
                             "Period [low, high]: a body that leaves the cell through one face re-enters "
                             "through the opposite one.",
                         .size = 2};
  };
  return {.key = "periodic",
          .kind = ParameterKind::object,
          .description =
              "Periodic directions: the system repeats itself with the period of the cell; bodies interact "
              "through the faces of the cell (docs/boundaries.md).",
          .members = {direction("x"), direction("y"), direction("z")},
          .scope = scope::not_contact_dynamics(
              true, "contact dynamics does not support periodic faces; use boundaries")};
}

PeriodicCell periodic_cell(const Value& values) {
  if (values.items().empty())
    throw InputError(values.where(),
                     "no periodic direction defined; expected \"x\", \"y\" or \"z\" with [low, high] [m].");
  PeriodicCell cell;
  std::vector<Diagnostic> faults;
  for (int axis = 0; axis < 3; ++axis) {
    const Value* ends = values.find(std::string(1, "xyz"[axis]));
    if (ends == nullptr) continue;
    cell.low[axis] = ends->items()[0].number();
    cell.length[axis] = ends->items()[1].number() - cell.low[axis];
    if (cell.length[axis] > 0) continue;
    faults.push_back(
        {ends->where(), text::join("got ", to_text(*ends), "; expected [low, high] [m] with high > low.")});
  }
  if (!faults.empty()) throw InputError(std::move(faults));
  return cell;
}

}  // namespace scree
