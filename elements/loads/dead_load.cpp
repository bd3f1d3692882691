#include "elements/loads/dead_load.hpp"

#include <algorithm>
#include <cmath>

#include "core/infinity.hpp"
#include "core/text.hpp"

namespace scree::elements {

double ramp_factor(const Ramp& ramp, double time) {
  if (ramp.empty()) return 1;
  if (time <= ramp.front().first) return ramp.front().second;
  const auto next = std::lower_bound(ramp.begin(), ramp.end(), time,
                                     [](const auto& row, double t) { return row.first < t; });
  if (next == ramp.end()) return ramp.back().second;
  const auto before = next - 1;
  const double part = (time - before->first) / (next->first - before->first);
  return before->second + part * (next->second - before->second);
}

double largest_factor(const Ramp& ramp) {
  double factor = ramp.empty() ? 1 : 0;
  for (const auto& row : ramp) factor = std::max(factor, std::abs(row.second));
  return factor;
}

double next_row(const Ramp& ramp, double time) {
  const auto next = std::upper_bound(ramp.begin(), ramp.end(), time,
                                     [](double t, const auto& row) { return t < row.first; });
  return next == ramp.end() ? kInfinity : next->first;
}

std::vector<ParameterSpec> dead_load_parameters(const std::string& unit) {
  const ParameterSpec row{.kind = ParameterKind::vector, .description = "Time [s], factor [-].", .size = 2};
  return {
      {.key = "body",
       .kind = ParameterKind::any_of,
       .description = "Loaded body: name, or number from 0 in the order of the deck.",
       .required = true,
       .members = {{.kind = ParameterKind::string},
                   {.kind = ParameterKind::integer, .range = range::not_negative()}}},
      {.key = "value",
       .kind = ParameterKind::vector,
       .unit = unit,
       .description = "Force or moment, global axes, constant direction.",
       .required = true,
       .size = 3},
      {.key = "ramp",
       .kind = ParameterKind::list,
       .description = "Factor on the value over time: linear between the rows, constant before and after. "
                      "Steps end at the "
                      "rows. Default: 1.",
       .size = 1,
       .members = {row}},
  };
}

Ramp read_ramp(const Value& values, std::vector<Diagnostic>& faults) {
  Ramp ramp;
  const Value* rows = values.find("ramp");
  if (rows == nullptr) return ramp;
  for (const auto& row : rows->items()) {
    const double time = row.items()[0].number();
    if (!ramp.empty() && time <= ramp.back().first) {
      faults.push_back(
          {row.where(), text::join("got time ", text::number(time), "; expected increasing times [s]: > ",
                                   text::number(ramp.back().first), ".")});
    }
    ramp.emplace_back(time, row.items()[1].number());
  }
  return ramp;
}

std::optional<IdleLoad> idle_dead_load(const Vec3& value, const Ramp& ramp, const Value& values,
                                       const LoadedRun& run) {
  if (value.norm() == 0) return IdleLoad{"", "has no effect: \"value\" is 0."};
  if (!values.has("ramp")) return std::nullopt;
  // Between its rows a ramp is linear.
  const bool idle = ramp_factor(ramp, 0) == 0 && ramp_factor(ramp, run.end) == 0 &&
                    std::all_of(ramp.begin(), ramp.end(), [&](const auto& row) {
                      return row.first < 0 || row.first > run.end || row.second == 0;
                    });
  if (!idle) return std::nullopt;
  return IdleLoad{"ramp", text::join("its load has no effect before the end of the run, ",
                                     text::number(run.end), " s: until then the factor is 0.")};
}

}  // namespace scree::elements
