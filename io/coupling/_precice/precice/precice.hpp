/// A stand-in for preCICE 3, for tests of the adapter where the library is missing: the calls that the
/// adapter uses, and a structure behind each vertex of one mesh. Serial-implicit windows with constant
/// relaxation, repeated until the displacement agrees. Rank 0 alone has vertices; all ranks compute the same
/// structure from its forces.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace precice {

using VertexID = int;

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a configuration file contains of the real library, and what has happened.
struct Script {
  double window = 1e-3, end = 1e-2, tolerance = 1e-10, relaxation = 0.5;
  int iterations = 100;  ///< limit per window; a window that reaches it is accepted, as by the library
  int gone_after = -1;   ///< windows after which the partner is gone; -1: it stays
  int stop_after = -1;   ///< windows after which somebody wants the run to stop; -1: nobody does
  void (*stop)() noexcept = nullptr;  ///< wants it
  /// Displacement at the end of a window [m] from forces [N] at its end; called once per iteration.
  std::function<std::vector<double>(std::span<const double> forces, double time, double dt)> structure;
  std::function<void()> accept;  ///< at the end of a window
  std::vector<std::string> calls;
  std::vector<double> windows;  ///< sizes of accepted windows [s]
  std::vector<int> repeats;     ///< solutions per window

  static Script& current() {
    static Script script;
    return script;
  }
};

class Participant {
 public:
  Participant(std::string_view name, std::string_view config, int rank, int size, void* communicator) {
    if (name.empty() || config.empty() || communicator == nullptr)
      throw std::invalid_argument("Participant: no name, no configuration or no communicator");
    comm_ = *static_cast<MPI_Comm*>(communicator);
    int ranks = 0;
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &ranks);
    if (rank != rank_ || size != ranks)
      throw std::invalid_argument("Participant: not those of the communicator");
  }

  bool requiresMeshConnectivityFor(std::string_view /*mesh*/) const { return true; }
  void setMeshVertices(std::string_view /*mesh*/, std::span<const double> places, std::span<VertexID> ids) {
    if (places.size() != 3 * ids.size()) throw std::invalid_argument("setMeshVertices: sizes differ");
    if (rank_ != 0) throw std::invalid_argument("setMeshVertices: vertices are those of rank 0");
    vertices_ = ids.size();
    for (std::size_t k = 0; k < ids.size(); ++k) ids[k] = static_cast<VertexID>(k);
    displacement_.assign(places.size(), 0.0);
    forces_ = displacement_;
    note("vertices");
  }
  void setMeshTriangles(std::string_view /*mesh*/, std::span<const VertexID> ids) {
    if (ids.size() % 3 != 0) throw std::invalid_argument("setMeshTriangles: 3 vertices each");
    require_own(ids, "setMeshTriangles");
    note("triangles");
  }
  bool requiresInitialData() {
    if (initialized_) throw Error("requiresInitialData() has to be called before initialize()");
    return true;
  }
  void initialize() {
    if (!wrote_what_it_has()) throw std::logic_error("initial data is missing");
    has_written_ = false;
    initialized_ = true;
    note("initialize");
  }
  bool isCouplingOngoing() const { return time_ < script_.end * (1.0 - 1e-12); }
  double getMaxTimeStepSize() const {
    return isCouplingOngoing() ? std::min(script_.window, script_.end - time_) : 0.0;
  }
  bool requiresWritingCheckpoint() {
    asked_to_write_ = true;
    return iteration_ == 0;
  }
  bool requiresReadingCheckpoint() {
    asked_to_read_ = true;
    return repeats_;
  }
  void readData(std::string_view /*mesh*/, std::string_view data, std::span<const VertexID> ids, double time,
                std::span<double> values) const {
    if (!initialized_ || time < 0.0 || time > getMaxTimeStepSize() * (1.0 + 1e-12))
      throw Error("readData(...) cannot sample data outside of current time window");
    if (data != "Displacement") throw Error("readData: mesh has no such data");
    if (values.size() != 3 * ids.size()) throw std::invalid_argument("readData: sizes differ");
    require_own(ids, "readData");
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = displacement_[k];
  }
  void writeData(std::string_view /*mesh*/, std::string_view data, std::span<const VertexID> ids,
                 std::span<const double> values) {
    if (data != "Force") throw Error("writeData: mesh has no such data");
    if (values.size() != 3 * ids.size()) throw std::invalid_argument("writeData: sizes differ");
    require_own(ids, "writeData");
    forces_.assign(values.begin(), values.end());
    has_written_ = true;
  }
  void advance(double dt) {
    if (!initialized_ || !wrote_what_it_has() || !asked_to_write_)
      throw std::logic_error("advance out of order");
    if (iteration_ > 0 && !asked_to_read_) throw std::logic_error("requiresReadingCheckpoint was not asked");
    if (std::abs(dt - getMaxTimeStepSize()) > 1e-12 * dt)
      throw std::invalid_argument("advance: not the window");
    if (std::ssize(script_.windows) == script_.stop_after) script_.stop();
    if (std::ssize(script_.windows) == script_.gone_after)
      throw Error("Receiving data from another participant (using sockets) failed");
    has_written_ = asked_to_write_ = asked_to_read_ = false;
    ++iteration_;
    share_forces();
    const std::vector<double> image = script_.structure(forces_, time_ + dt, dt);
    displacement_.resize(image.size(), 0.0);  // of ranks without vertices
    double difference = 0.0, size = 0.0;
    for (std::size_t k = 0; k < image.size(); ++k) {
      difference += (image[k] - displacement_[k]) * (image[k] - displacement_[k]);
      size += image[k] * image[k];
    }
    repeats_ = std::sqrt(difference) > script_.tolerance * std::sqrt(size) && iteration_ < script_.iterations;
    for (std::size_t k = 0; k < image.size(); ++k)
      displacement_[k] =
          repeats_ ? displacement_[k] + script_.relaxation * (image[k] - displacement_[k]) : image[k];
    if (repeats_) return;
    script_.accept();
    script_.windows.push_back(dt);
    script_.repeats.push_back(iteration_);
    time_ += dt;
    iteration_ = 0;
    asked_to_read_ = false;
  }
  void finalize() { note("finalize"); }

 private:
  void note(const char* call) { script_.calls.emplace_back(call); }
  /// As the library, which knows on each rank the vertices that this rank has set.
  void require_own(std::span<const VertexID> ids, const char* call) const {
    for (const VertexID id : ids)
      if (id < 0 || static_cast<std::size_t>(id) >= vertices_)
        throw Error(std::string(call) + ": a vertex that this rank has not set");
    if (ids.empty()) throw std::invalid_argument(std::string(call) + ": no vertices");
  }
  bool wrote_what_it_has() const { return has_written_ || vertices_ == 0; }
  void share_forces() {
    int size = static_cast<int>(forces_.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, comm_);
    forces_.resize(static_cast<std::size_t>(size));
    MPI_Bcast(forces_.data(), size, MPI_DOUBLE, 0, comm_);
  }

  Script& script_ = Script::current();
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  std::size_t vertices_ = 0;  ///< that this rank has set
  std::vector<double> displacement_, forces_;
  double time_ = 0.0;
  int iteration_ = 0;
  bool initialized_ = false, has_written_ = false, asked_to_write_ = false, asked_to_read_ = false,
       repeats_ = false;
};

}  // namespace precice
