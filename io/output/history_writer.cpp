#include "io/output/history_writer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "io/collective.hpp"
#include "io/output/number_format.hpp"
#include "solvers/analysis.hpp"
#include "solvers/world/boundary_motion.hpp"
#include "solvers/world/surfaces.hpp"

namespace scree {
namespace {

using Subject = HistoryDescription::Subject;

struct SystemColumn {
  std::string name;
  std::function<double(const AcceptedState&)> value;
};

constexpr const char* kIndeterminacy = "indeterminacy";

/// Open files of a run beside its histories: log, other output, MPI.
constexpr std::size_t kOtherFiles = 100;

/// Columns from here on are those of contact dynamics.
constexpr const char* kFirstRigidColumn = "complementarity";

/// Columns from here up to those of contact dynamics are those of inserted and removed bodies.
constexpr const char* kFirstPopulationColumn = "bodies";

long through(const std::vector<Flow>& flows) {
  return std::accumulate(flows.begin(), flows.end(), 0L,
                         [](long sum, const Flow& flow) { return sum + flow.bodies; });
}

double mass_through(const std::vector<Flow>& flows) {
  return std::accumulate(flows.begin(), flows.end(), 0.0,
                         [](double sum, const Flow& flow) { return sum + flow.mass; });
}

const RigidFigures& rigid(const AcceptedState& state) {
  static const RigidFigures none;
  return state.rigid != nullptr ? *state.rigid : none;
}

const std::vector<SystemColumn>& system_table() {
  using S = AcceptedState;
  static const std::vector<SystemColumn> table = {
      {"time", [](const S& s) { return s.time; }},
      {"step", [](const S& s) { return s.step; }},
      {"step_number", [](const S& s) { return static_cast<double>(s.step_number); }},
      {"kinetic_energy", [](const S& s) { return s.energy.kinetic(); }},
      {"translational_energy", [](const S& s) { return s.energy.translational; }},
      {"rotational_energy", [](const S& s) { return s.energy.rotational; }},
      {"potential_energy", [](const S& s) { return s.energy.potential; }},
      {"contact_energy", [](const S& s) { return s.energy.contact; }},
      {"friction_elastic_energy", [](const S& s) { return s.energy.friction_elastic; }},
      {"bond_energy", [](const S& s) { return s.energy.bonds; }},
      {"near_field_energy", [](const S& s) { return s.energy.near_field; }},
      {"total_energy", [](const S& s) { return s.energy.total(); }},
      {"dissipated_energy", [](const S& s) { return s.energy.dissipated(); }},
      {"damping_loss", [](const S& s) { return s.energy.damping_loss; }},
      {"friction_loss", [](const S& s) { return s.energy.friction_loss; }},
      {"proximal_steps", [](const S& s) { return static_cast<double>(s.proximal_steps); }},
      {"fluid_loss", [](const S& s) { return s.energy.fluid_loss; }},
      {"bond_loss", [](const S& s) { return s.energy.bond_loss; }},
      {"work_of_loads", [](const S& s) { return s.energy.work_of_loads; }},
      {"work_of_boundaries", [](const S& s) { return s.energy.work_of_boundaries; }},
      {"closure_error", [](const S& s) { return s.energy.closure_error(); }},
      {"contacts", [](const S& s) { return static_cast<double>(s.contacts); }},
      {"bonds", [](const S& s) { return static_cast<double>(s.bonds); }},
      {"broken_bonds", [](const S& s) { return static_cast<double>(s.broken_bonds); }},
      {"newton_iterations", [](const S& s) { return static_cast<double>(s.newton_iterations); }},
      {"krylov_iterations", [](const S& s) { return static_cast<double>(s.krylov_iterations); }},
      {"max_velocity", [](const S& s) { return s.max_velocity; }},
      {"min_gap", [](const S& s) { return s.min_gap; }},
      {kFirstPopulationColumn, [](const S& s) { return static_cast<double>(s.population->bodies); }},
      {"entered", [](const S& s) { return static_cast<double>(through(s.population->inlets)); }},
      {"left", [](const S& s) { return static_cast<double>(through(s.population->outlets)); }},
      {"entered_mass", [](const S& s) { return mass_through(s.population->inlets); }},
      {"left_mass", [](const S& s) { return mass_through(s.population->outlets); }},
      {"inflow_energy", [](const S& s) { return s.energy.inflow; }},
      {"outflow_energy", [](const S& s) { return s.energy.outflow; }},
      {kFirstRigidColumn, [](const S& s) { return rigid(s).complementarity; }},
      {"lcp_iterations", [](const S& s) { return static_cast<double>(rigid(s).lcp_iterations); }},
      {"force_balance", [](const S& s) { return rigid(s).balance; }},
      {"incompatibility", [](const S& s) { return rigid(s).opening; }},
      {"lcp_distance", [](const S& s) { return rigid(s).lcp_distance; }},
      {"gap_at_end", [](const S& s) { return rigid(s).gap_at_end; }},
      {kIndeterminacy, [](const S& s) { return static_cast<double>(rigid(s).indeterminacy); }},
  };
  return table;
}

/// Whether a state's indeterminacy is required: it costs more than the rest of a row.
bool wants_indeterminacy(const HistoryDescription& history) {
  return history.subject == Subject::system &&
         std::find(history.columns.begin(), history.columns.end(), kIndeterminacy) != history.columns.end();
}

void append_to(std::vector<double>& row, const Vec3& v) { row.insert(row.end(), {v.x(), v.y(), v.z()}); }

/// All columns of the system, in the order of system_columns().
std::vector<double> system_row(const AcceptedState& state) {
  std::vector<double> row;
  for (const auto& column : system_table()) row.push_back(column.value(state));
  return row;
}

/// All columns of a body, in the order of body_columns(); time and step are added by rank 0 alone, so that
/// the rows of the ranks can be summed. @param row zeros. @returns whether this rank owns the body.
bool body_row(const AcceptedState& state, BodyId id, double* row) {
  const auto begin = state.bodies->properties.begin();
  const auto end = begin + state.bodies->owned;
  const auto found =
      std::lower_bound(begin, end, id, [](const BodyProperties& p, BodyId wanted) { return p.id < wanted; });
  if (found == end || found->id != id) return false;
  const auto i = static_cast<std::size_t>(found - begin);
  const BodyState& body = state.bodies->state[i];
  const Wrench& wrench = (*state.body_wrench)[i];
  std::vector<double> values = {0, 0};
  append_to(values, state.bodies->periodic.wrap(body.x));
  values.insert(values.end(), {body.q.w(), body.q.x(), body.q.y(), body.q.z()});
  for (const Vec3* v : {&body.v, &body.w, &wrench.force, &wrench.moment}) append_to(values, *v);
  append_to(values, state.bodies->unwrapped(body) - found->start);
  std::copy(values.begin(), values.end(), row);
  return true;
}

/// All columns of a boundary, in the order of boundary_columns().
std::vector<double> boundary_row(const AcceptedState& state, int boundary) {
  std::vector<double> row = {state.time, state.step};
  const Wrench& wrench = (*state.boundary_wrench)[static_cast<std::size_t>(boundary)];
  append_to(row, wrench.force);
  append_to(row, wrench.moment);
  const BoundaryDescription& description = state.model->boundaries[static_cast<std::size_t>(boundary)];
  append_to(
      row,
      description.motion.coupled
          ? mean_of_surface(state, boundary).first
          : boundary_motion(*state.model, boundary, state.time, state.bodies).place(description.reference));
  return row;
}

}  // namespace

const std::vector<std::string>& system_columns() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& column : system_table()) list.push_back(column.name);
    return list;
  }();
  return names;
}

bool is_rigid_column(const std::string& system_column) {
  const std::vector<std::string>& names = system_columns();
  return std::find(std::find(names.begin(), names.end(), kFirstRigidColumn), names.end(), system_column) !=
         names.end();
}

std::vector<std::string> usual_system_columns(const Model& model) {
  std::vector<std::string> names = system_columns();
  const auto at = [&names](const char* name) { return std::find(names.begin(), names.end(), name); };
  names.erase(at(traits_of(model.analysis).forces_follow_from_state ? kFirstRigidColumn : kIndeterminacy),
              names.end());
  if (model.inlets.empty() && model.outlets.empty())
    names.erase(at(kFirstPopulationColumn), at(kFirstRigidColumn));
  return names;
}

const std::vector<std::string>& columns_of(Subject subject) {
  switch (subject) {
    case Subject::body:
      return body_columns();
    case Subject::boundary:
      return boundary_columns();
    case Subject::outlet:
      return outlet_columns();
    case Subject::system:
      break;
  }
  return system_columns();
}

const std::vector<std::string>& body_columns() {
  static const std::vector<std::string> names = {"time", "step", "x",  "y",  "z",  "qw", "qx", "qy",
                                                 "qz",   "vx",   "vy", "vz", "wx", "wy", "wz", "fx",
                                                 "fy",   "fz",   "mx", "my", "mz", "ux", "uy", "uz"};
  return names;
}

const std::vector<std::string>& boundary_columns() {
  static const std::vector<std::string> names = {"time", "step", "fx", "fy", "fz", "mx",
                                                 "my",   "mz",   "x",  "y",  "z"};
  return names;
}

const std::vector<std::string>& outlet_columns() {
  static const std::vector<std::string> names = {"time", "step", "bodies", "mass"};
  return names;
}

void check_open_files(const Model& model, double most, std::vector<Diagnostic>& faults) {
  const std::size_t histories = model.output.histories.size();
  const std::size_t needed = histories + kOtherFiles;
  if (histories == 0 || static_cast<double>(needed) <= most) return;
  faults.push_back(
      {"/output/histories",
       fmt::format("got {} histories, which require {} open files with {} of the program; a "
                   "process may have {:.0f}. Use fewer histories, or a higher limit (ulimit -Hn).",
                   histories, needed, kOtherFiles, most)});
}

std::pair<Vec3, Vec3> mean_of_surface(const AcceptedState& state, int boundary) {
  const Model& model = *state.model;
  const auto part = std::find_if(model.boundary_parts.begin(), model.boundary_parts.end(),
                                 [&](const BoundaryPart& one) { return one.boundary == boundary; });
  const SurfaceState& surface = state.surfaces->state(static_cast<int>(part - model.boundary_parts.begin()));
  double area = 0;
  Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
  const std::vector<Vec3>&x = surface.x, &v = surface.v;
  for (const Face& face : model.walls[static_cast<std::size_t>(part->wall)].faces) {  // triangles
    const int a = face.loop[0], b = face.loop[1], c = face.loop[2];
    const double size = 0.5 * (x[b] - x[a]).cross(x[c] - x[a]).norm();
    area += size;
    place += size / 3 * (x[a] + x[b] + x[c]);
    velocity += size / 3 * (v[a] + v[b] + v[c]);
  }
  return {place / area, velocity / area};
}

HistoryWriter::HistoryWriter(const Model& model, MPI_Comm comm) : model_(model), comm_(comm) {
  MPI_Comm_rank(comm_, &rank_);
  // Programs that use the library keep their limit as long as it is enough.
  if (rank_ == 0 && model.output.histories.size() > kOtherFiles) raise_open_file_limit();
  std::vector<Diagnostic> unknown;
  for (std::size_t h = 0; h < model.output.histories.size(); ++h) {
    const HistoryDescription& description = model.output.histories[h];
    History history{&description, {}, Sampling(description.every), nullptr, {}};
    const auto& known = columns_of(description.subject);
    for (std::size_t c = 0; c < description.columns.size(); ++c) {
      const auto found = std::find(known.begin(), known.end(), description.columns[c]);
      if (found == known.end()) {
        unknown.push_back({"/output/histories/" + std::to_string(h) + "/columns/" + std::to_string(c),
                           "unknown column \"" + description.columns[c] + "\"."});
      }
      history.columns.push_back(static_cast<std::size_t>(found - known.begin()));
    }
    histories_.push_back(std::move(history));
  }
  if (!unknown.empty()) throw InputError(unknown);
}

void HistoryWriter::accepted(const AcceptedState& state) {
  std::vector<History*> due;
  std::vector<double> bodies;  // per due body: its row, and by how many ranks it is owned
  const std::size_t width = body_columns().size() + 1;
  for (auto& history : histories_) {
    if (!history.sampling.due(state)) continue;
    due.push_back(&history);
    if (history.description->subject != Subject::body) continue;
    const std::size_t at = bodies.size();
    bodies.resize(at + width, 0.0);
    bodies[at + width - 1] = body_row(state, history.description->body, &bodies[at]) ? 1.0 : 0.0;
  }
  if (due.empty()) return;
  const bool degree = std::any_of(due.begin(), due.end(), [](const History* history) {
    return wants_indeterminacy(*history->description);
  });
  if (degree) state.queries->find_indeterminacy();
  if (!bodies.empty()) {
    // One owner per body: the sum with the zeros of the other ranks is its row, bit for bit.
    std::vector<double> sum(rank_ == 0 ? bodies.size() : 0);
    MPI_Reduce(bodies.data(), sum.data(), static_cast<int>(bodies.size()), MPI_DOUBLE, MPI_SUM, 0, comm_);
    bodies = std::move(sum);
  }
  together(comm_, [&] {
    if (rank_ != 0) return;
    std::size_t at = 0;
    for (History* history : due) {
      const HistoryDescription& description = *history->description;
      if (!history->file) {
        const auto path = std::filesystem::path(model_.output.directory) / description.file;
        history->file = std::make_unique<GrowingFile>(path.string());
        std::string header;
        for (const auto& name : description.columns) header += (header.empty() ? "" : ",") + name;
        history->file->append(header + '\n');
      }
      switch (description.subject) {
        case Subject::system:
          append_row(*history, system_row(state));
          break;
        case Subject::boundary:
          append_row(*history, boundary_row(state, description.boundary));
          break;
        case Subject::outlet: {
          const Flow& flow = state.population->outlets[static_cast<std::size_t>(description.outlet)];
          append_row(*history, {state.time, state.step, static_cast<double>(flow.bodies), flow.mass});
          break;
        }
        case Subject::body: {
          if (bodies[at + width - 1] == 0 && !model_.outlets.empty()) {  // it has left: its file ends
            at += width;
            break;
          }
          std::vector<double> row(&bodies[at], &bodies[at] + width - 1);
          if (bodies[at + width - 1] != 1.0) {
            throw RunError(description.file + ": body " + body_label(model_, description.body) +
                           " is owned by " + std::to_string(static_cast<int>(bodies[at + width - 1])) +
                           " ranks; its history output cannot continue.");
          }
          row[0] = state.time;
          row[1] = state.step;
          at += width;
          append_row(*history, row);
        }
      }
    }
  });
  for (History* history : due) {
    const Sampling& sampling = history->sampling;
    if (sampling.reached())
      history->kept = {sampling.next(), sampling.last_step(), 0, history->file ? history->file->size() : -1};
  }
}

void HistoryWriter::add_cursors(OutputCursors& cursors) const {
  for (const History& history : histories_) cursors.series[history.description->file] = history.kept;
}

void HistoryWriter::continue_from(const OutputCursors& cursors) {
  together(comm_, [&] {
    for (History& history : histories_) {
      history.kept = cursors.of(history.description->file);
      history.sampling.continue_from(history.kept.next, history.kept.last_step);
      if (rank_ != 0) continue;
      const auto path = std::filesystem::path(model_.output.directory) / history.description->file;
      continue_file(history.file, path.string(), history.kept.bytes);
    }
  });
}

void HistoryWriter::append_row(const History& history, const std::vector<double>& values) const {
  std::string row;
  for (const std::size_t column : history.columns) {
    if (!row.empty()) row += ',';
    append_number(row, values[column]);
  }
  history.file->append(row += '\n');
}

}  // namespace scree
