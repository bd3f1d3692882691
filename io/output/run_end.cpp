#include "io/output/run_end.hpp"

#include "core/text.hpp"
#include "io/output/number_format.hpp"
#include "io/output/state_writer.hpp"
#include "solvers/run/run_warnings.hpp"

namespace scree {

RunEnd find_run_end(const Model& model, const RunReport& report) {
  if (!report.failure.empty()) return RunEnd::failure;
  if (report.interrupted) return RunEnd::interrupt;
  if (report.rest.reached) return RunEnd::static_equilibrium;
  if (reaches_end(model, report.time)) return RunEnd::end_time;
  return report.complete ? RunEnd::coupled : RunEnd::failure;
}

int find_exit_status(const Model& model, const RunReport& report) {
  const RunEnd end = find_run_end(model, report);
  if (end == RunEnd::interrupt) return ExitStatus::kInterrupted;
  if (end == RunEnd::failure) return ExitStatus::kNotFinished;
  return failure_text(model, report).empty() ? ExitStatus::kDone : ExitStatus::kNotFinished;
}

std::string failure_text(const Model& model, const RunReport& report) {
  const RunEnd end = find_run_end(model, report);
  if (end == RunEnd::failure) return report.failure;
  if (end == RunEnd::interrupt) return "";
  if (created_too_much(model, report)) return created_too_much_text(model, report);
  if (!model.strict || report.warnings.empty()) return "";
  return text::join(counted(static_cast<long>(report.warnings.size()), "warning", "warnings"),
                    " with --strict: exit status 1. The results are complete.");
}

}  // namespace scree
