#include "core/parameters/periodic_parameters.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

namespace scree {

ParameterSpec periodic_specification() {
  const auto direction = [](const char* key) {
    return ParameterSpec{.key = key,
                         .kind = ParameterKind::vector,
                         .unit = "m",
                         .description = "[low, high]: a body that leaves at one end comes in at the other.",
                         .size = 2};
  };
  return {.key = "periodic",
          .kind = ParameterKind::object,
          .description =
              "Directions in which everything repeats itself without end: bodies meet each other through the "
              "faces of the cell (docs/boundaries.md).",
          .members = {direction("x"), direction("y"), direction("z")},
          .scope = scope::not_contact_dynamics(true,
                                               "it does not see through periodic faces yet; use boundaries")};
}

PeriodicCell periodic_cell(const Value& values) {
  if (values.items().empty())
    throw InputError(values.where(),
                     "names no direction; expected \"x\", \"y\" or \"z\" with [low, high] [m].");
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
