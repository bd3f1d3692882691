#include "solvers/run/attraction.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "solvers/run/warning_bounds.hpp"

namespace scree {

bool attracts(const RunReport& report) {
  const double attraction = -report.energy.attraction;
  return attraction > std::max(WarningBounds::kCreated * report.energy.reference, report.rest_energy);
}

void warn_of_attraction(const Model& model, const RunReport& report, Warnings& warnings) {
  if (!attracts(report)) return;
  const EnergyLedger& energy = report.energy;
  warnings.raise({"contacts_attract", "contacts",
                  text::join("the energy of contacts fell to ", text::number(energy.attraction, 3),
                             " J at t = ", text::number(energy.attraction_at, 3), " s, worst at ",
                             model.body_in_words(report.attracted),
                             ": bodies attracted each other, results are not reliable. Many edges of their "
                             "meshes meet within the activation distance (docs/contact.md, section 2); try "
                             "a smaller \"threshold\", or meshes with fewer, longer edges there."),
                  energy.attraction_at});
}

}  // namespace scree
