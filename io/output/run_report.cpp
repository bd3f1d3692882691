/// The summary of a run for programs: report.json.
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/output/run_end.hpp"
#include "io/output/run_log.hpp"

namespace scree {
namespace {

nlohmann::ordered_json warnings_json(const std::vector<Warning>& warnings) {
  auto list = nlohmann::ordered_json::array();
  for (const Warning& warning : warnings)
    list.push_back({{"code", warning.code},
                    {"where", warning.where},
                    {"message", warning.message},
                    {"time", warning.time}});
  return list;
}

nlohmann::ordered_json flows_json(const std::vector<Flow>& flows) {
  auto list = nlohmann::ordered_json::array();
  for (const Flow& flow : flows)
    list.push_back(
        {{"name", flow.name}, {"bodies", flow.bodies}, {"mass", flow.mass}, {"waiting", flow.waiting}});
  return list;
}

const char* run_end_name(RunEnd end) {
  switch (end) {
    case RunEnd::end_time:
      return "end time";
    case RunEnd::static_equilibrium:
      return "static equilibrium";
    case RunEnd::coupled:
      return "coupling";
    case RunEnd::interrupt:
      return "interrupt";
    case RunEnd::failure:
      return "failure";
  }
  return "";
}

}  // namespace

std::string report_json(const Model& model, const RunReport& report, int ranks) {
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  const auto table = [](const auto& pairs) {
    auto object = nlohmann::ordered_json::object();
    for (const auto& [name, value] : pairs) object[name] = value;
    return object;
  };
  const RunEnd end = find_run_end(model, report);
  const bool is_over = report.ended || is_complete(end);
  const auto if_over = [is_over](const auto& value) {
    return is_over ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  const EnergyLedger& e = report.energy;
  nlohmann::ordered_json json = {
      {"title", model.title},
      {"deck", model.deck_file},
      {"bodies", model.body_count()},
      {"ranks", ranks},
      {"exit_status", if_over(find_exit_status(model, report))},
      {"ended_by", if_over(run_end_name(end))},
      {"message", failure_text(model, report)},
      {"interrupted", report.interrupted},
      {"at_rest", report.rest.reached},
      {"time", number(report.time)},
      {"end", number(model.time.end)},
      {"steps", report.steps},
      {"cuts", report.cuts},
      {"repeats", report.repeats},
      {"proximal_steps", report.proximal_steps},
      {"cut_causes", table(report.cut_causes)},
      {"limit_causes", table(report.limit_causes)},
      {"newton_iterations", report.newton_iterations},
      {"krylov_iterations", report.krylov_iterations},
      {"max_contacts", report.max_contacts},
      {"min_gap", number(report.min_gap)},
      {"largest_force", number(report.largest_force)},
      {"newton",
       {{"solves", report.newton.solves},
        {"tolerance_raised", report.newton.raised},
        {"ended_at_round_off", report.newton.at_floor},
        {"direct_fallbacks", report.newton.factored},
        {"largest_relative_residual", number(report.newton.worst)}}},
      {"steps_at_minimum", report.min_steps},
      {"steps_longer_than_limits", report.overrules.steps},
      {"largest_step_over_limit", number(report.overrules.worst)},
      {"bodies_left_domain", report.left.count},
      {"inlets", flows_json(report.population.inlets)},
      {"outlets", flows_json(report.population.outlets)},
      {"bonds", report.bonds},
      {"broken_bonds", report.broken_bonds},
      {"unbalanced_force", number(report.unbalanced_force)},
      {"unbalanced_moment", number(report.unbalanced_moment)},
      {"energy",
       {{"translational", number(e.translational)},
        {"rotational", number(e.rotational)},
        {"potential", number(e.potential)},
        {"contact", number(e.contact)},
        {"friction_elastic", number(e.friction_elastic)},
        {"bonds", number(e.bonds)},
        {"near_field", number(e.near_field)},
        {"initial_total", number(e.initial_total)},
        {"work_of_loads", number(e.work_of_loads)},
        {"work_of_boundaries", number(e.work_of_boundaries)},
        {"inflow", number(e.inflow)},
        {"outflow", number(e.outflow)},
        {"damping_loss", number(e.damping_loss)},
        {"friction_loss", number(e.friction_loss)},
        {"fluid_loss", number(e.fluid_loss)},
        {"let_go", number(e.let_go)},
        {"bond_loss", number(e.bond_loss)},
        {"reference", number(e.reference)},
        {"closure_error", number(e.closure_error())},
        {"largest_closure_error", number(e.largest_error)},
        {"smallest_closure_error", number(e.smallest_error)},
        {"attraction", number(e.attraction)}}},
      {"warnings", warnings_json(report.warnings)},
      {"phase_seconds", table(report.phase_seconds)},
      {"wall_seconds", number(report.wall_seconds)},
  };
  if (report.rigid.known) {
    const RigidFigures& last = report.rigid;
    json["contact_dynamics"] = {{"lcp", last.lcp},
                                {"worst_complementarity", number(report.worst_complementarity)},
                                {"lcp_iterations", last.lcp_iterations},
                                {"compatibility", last.compatibility},
                                {"force_balance", number(last.balance)},
                                {"worst_force_balance", number(report.worst_balance)},
                                {"incompatibility", number(last.opening)},
                                {"worst_incompatibility", number(report.worst_opening)},
                                {"steps_recovery_stopped_early", report.steps_recovery_short},
                                {"steps_restitution_reduced", report.steps_less_rebound},
                                {"loaded_contacts", last.loaded},
                                {"indeterminacy", last.indeterminacy},
                                {"indeterminacy_is_estimated", last.estimated},
                                {"steps_short_of_tolerance", report.steps_short},
                                {"steps_by_newton", report.steps_by_newton},
                                {"contacts_between_fixed_bodies", last.between_held},
                                {"steps_not_unique", report.steps_not_unique},
                                {"lcp_distance", number(last.lcp_distance)},
                                {"largest_lcp_distance", number(report.largest_lcp_distance)},
                                {"deepest_overlap", number(report.deepest_overlap)}};
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace scree
