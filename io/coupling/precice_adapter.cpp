#include "io/coupling/precice_adapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/text.hpp"
#include "io/collective.hpp"
#include "io/coupling/participant.hpp"
#include "io/coupling/precice_library.hpp"
#include "solvers/model.hpp"

#ifdef SCREE_PRECICE
#include <precice/precice.hpp>
#endif

namespace scree::coupling {

#ifndef SCREE_PRECICE

void require_precice() {
  throw InputError(
      "/coupling/type",
      "this build has no preCICE; install preCICE 3 (https://precice.org/installation-overview.html), "
      "then configure and build again: CMake finds it with find_package(precice 3).");
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): with the library it is moved
PreciceRun run_precice(std::shared_ptr<Model> /*model*/, const PreciceCoupling& /*coupling*/,
                       MPI_Comm /*comm*/, bool /*write_log*/, checkpoint::SavedRun* /*saved*/,
                       // NOLINTNEXTLINE(performance-unnecessary-value-param)
                       std::vector<std::string> /*petsc_options*/) {
  require_precice();
  return {};
}

#else

void require_precice() {}

namespace {

/// A coupled surface: rank 0 exchanges all vertices.
struct Exchange {
  const PreciceSurface* names;
  Surface surface;
  std::vector<precice::VertexID> ids;
  std::vector<double> displacement, load;
};

/// What rank 0 alone asks of preCICE. @throws precice::Error on all ranks: the others would wait for it.
void on_root(MPI_Comm comm, const std::function<void()>& call) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  try {
    together(comm, [&] {
      if (rank == 0) call();
    });
  } catch (const RunError& error) {
    throw precice::Error(error.what());
  }
}

Exchange declare(precice::Participant& side, Participant& bodies, const PreciceSurface& names,
                 Surface surface, MPI_Comm comm) {
  const SurfaceCopy& mesh = bodies.mesh(surface);
  Exchange exchange{.names = &names,
                    .surface = surface,
                    .ids = {},
                    .displacement = std::vector<double>(mesh.reference.size(), 0.0),
                    .load = std::vector<double>(mesh.reference.size(), 0.0)};
  on_root(comm, [&] {  // every rank has the whole mesh of a deck
    exchange.ids.resize(mesh.reference.size() / 3);
    side.setMeshVertices(names.mesh, mesh.reference, exchange.ids);
    if (!side.requiresMeshConnectivityFor(names.mesh)) return;
    std::vector<precice::VertexID> triangles;
    for (const int vertex : mesh.triangles)
      triangles.push_back(exchange.ids[static_cast<std::size_t>(vertex)]);
    side.setMeshTriangles(names.mesh, triangles);
  });
  return exchange;
}

void write(precice::Participant& side, const Participant& bodies, Exchange& exchange, MPI_Comm comm) {
  const bool is_force = !exchange.names->force.empty();
  if (is_force)
    bodies.forces(exchange.surface, exchange.load);
  else
    bodies.tractions(exchange.surface, exchange.load);
  on_root(comm, [&] {
    side.writeData(exchange.names->mesh, is_force ? exchange.names->force : exchange.names->traction,
                   exchange.ids, exchange.load);
  });
}

/// @returns how a window was solved. @throws RunError on what the partner gave.
StepReport solve_window(Participant& bodies, double window) {
  try {
    return bodies.solve_step(window);
  } catch (const InputError& error) {  // not of the deck
    throw RunError(fmt::format("time window at {} s: {}", text::number(bodies.time(), 6), error.what()));
  }
}

/// Writes the last accepted state. @returns a sentence with its file, or with the reason of a failure;
/// "" without outputs. Collective.
std::string rescued(Participant& bodies) {
  try {
    const std::string file = bodies.write_checkpoint();
    return file.empty() ? "" : " The last accepted state has been saved in " + file + ".";
  } catch (const RunError& failure) {  // the fault of the coupling has to be known first
    return std::string(" No checkpoint could be written: ") + failure.what();
  }
}

/// The windows of a coupling, to its end.
PreciceRun run_windows(precice::Participant& side, Participant& bodies, std::vector<Exchange>& exchanges,
                       const std::string& config, MPI_Comm comm) {
  PreciceRun run;
  while (side.isCouplingOngoing()) {
    // A window is one step, and nothing is accepted before its end: there is no state to save. preCICE
    // requires the question.
    (void)side.requiresWritingCheckpoint();
    const double window = side.getMaxTimeStepSize();
    const double left = bodies.max_step();
    // The sum of windows reaches the end of the deck up to round-off.
    if (window > left * (1.0 + 1e-9) + 1e-12 * bodies.end_time())
      throw InputError(
          "/time/end",
          fmt::format("the deck ends at {} s, within a time window of the coupling that ends at {} s; "
                      "expected the max-time of {} or later.",
                      text::number(bodies.end_time()), text::number(bodies.time() + window), config));
    for (Exchange& exchange : exchanges) {
      on_root(comm, [&] {
        side.readData(exchange.names->mesh, exchange.names->displacement, exchange.ids, window,
                      exchange.displacement);
      });
      bodies.set_motion(exchange.surface, exchange.displacement);  // of rank 0: its values count
    }
    const StepReport report = solve_window(bodies, std::min(window, left));
    ++run.solutions;
    if (!report.converged())
      throw RunError(
          fmt::format("time window at {} s: {} preCICE cannot reject an iterate; use a smaller initial "
                      "relaxation, or smaller windows.{}",
                      text::number(bodies.time(), 6), report.message, rescued(bodies)));
    for (Exchange& exchange : exchanges) write(side, bodies, exchange, comm);
    side.advance(window);
    if (side.requiresReadingCheckpoint()) continue;  // the next solution starts from the accepted state
    bodies.accept();
    ++run.windows;
  }
  return run;
}

}  // namespace

PreciceRun run_precice(std::shared_ptr<Model> model, const PreciceCoupling& coupling, MPI_Comm comm,
                       bool write_log, checkpoint::SavedRun* saved, std::vector<std::string> petsc_options) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  Participant bodies(std::move(model), comm,
                     {.write_log = write_log, .petsc_options = std::move(petsc_options)});
  std::vector<Surface> surfaces;
  for (const PreciceSurface& one : coupling.surfaces) surfaces.push_back(bodies.add_surface(one.boundary));
  if (saved == nullptr)
    bodies.initialize();
  else
    bodies.resume(*saved);
  try {
    precice::Participant side(coupling.participant, coupling.config, rank, ranks, static_cast<void*>(&comm));
    PreciceRun run;
    try {
      std::vector<Exchange> exchanges;
      for (std::size_t k = 0; k < surfaces.size(); ++k)
        exchanges.push_back(declare(side, bodies, coupling.surfaces[k], surfaces[k], comm));
      if (side.requiresInitialData())
        for (Exchange& exchange : exchanges) write(side, bodies, exchange, comm);
      side.initialize();
      run = run_windows(side, bodies, exchanges, coupling.config, comm);
    } catch (const Interrupted&) {  // on all ranks
      // What the coupling has come to is kept before the connection is closed, for which the partner may be
      // needed.
      const InterruptShield shield;
      bodies.finish(true);
      throw;
    }
    side.finalize();
    run.report = bodies.finish();
    return run;
  } catch (const precice::Error& error) {
    // Where the partner is gone all ranks learn of it: each exchanges messages in each window.
    throw RunError(fmt::format("preCICE, window at {} s: {}{}", text::number(bodies.time(), 6), error.what(),
                               rescued(bodies)));
  }
}

#endif

}  // namespace scree::coupling
