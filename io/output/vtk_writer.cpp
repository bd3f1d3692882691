#include "io/output/vtk_writer.hpp"

#include <fmt/core.h>
#include <vtkPolyData.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "io/collective.hpp"
#include "io/output/checked_file.hpp"
#include "io/output/number_format.hpp"
#include "io/output/output_volume.hpp"
#include "io/output/vtk_data.hpp"

namespace scree {
namespace {

constexpr const char* kSeriesHead =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
    "  <Collection>\n";
constexpr const char* kSeriesNames[] = {"bodies", "contacts", "boundaries"};
constexpr const char* kSeriesTail = "  </Collection>\n</VTKFile>\n";

/// @returns on all ranks whether any body needs double precision: pieces have one type of points. Collective.
bool any_needs_double(const Model& model, const Bodies& bodies, MPI_Comm comm) {
  int found = 0;
  for (int i = 0; i < bodies.owned && found == 0; ++i) {
    const double radius = model.shapes[bodies.properties[i].shape].bounding_radius;
    if (needs_double_precision(bodies.periodic.wrap(bodies.state[i].x), radius)) found = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_LOR, comm);
  return found != 0;
}

}  // namespace

VtkWriter::VtkWriter(const Model& model, MPI_Comm comm, ResultsFolder& results)
    : model_(model),
      comm_(comm),
      results_(results),
      sampling_(model.output.vtk_every),
      families_(shape_families(model)) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &ranks_);
  // The ranks have the cores: with threads of VTK beside them a frame took three times as long. By the
  // environment, since VTK 9.1's own header for it is not C++20; what the user says there stays.
  ::setenv("VTK_SMP_BACKEND_IN_USE", "Sequential", 0);
  for (const auto& shape : model.shapes) {
    meshes_.push_back(tessellate(shape, refinement_for(bodies_of_deck_and_inlets(model))));
  }
}

void VtkWriter::accepted(const AcceptedState& state) {
  Before before{sampling_, extent_, {}};
  if (state.interrupted || !sampling_.due(state)) return;
  for (const auto& [name, file] : series_) before.sizes[name] = file->size();
  written_.clear();
  try {
    write_frame(state);
  } catch (...) {
    take_back(before);
    throw;
  }
  ++frames_;
  if (sampling_.reached()) keep();
}

void VtkWriter::write_frame(const AcceptedState& state) {
  const bool in_double = any_needs_double(model_, *state.bodies, comm_);
  vtkSmartPointer<vtkPolyData> surfaces;
  together(comm_, [&] { surfaces = body_surfaces(state, meshes_, families_, rank_, in_double); });
  write_pieces("bodies", *surfaces, state.time);
  const std::vector<ContactRecord>& records = state.queries->contacts();
  vtkSmartPointer<vtkPolyData> contacts;
  together(comm_, [&] { contacts = contact_points(records); });
  write_pieces("contacts", *contacts, state.time);
  grow_extent(*state.bodies);
  const bool has_boundaries = !model_.boundary_parts.empty() && !extent_.isEmpty();
  if (has_boundaries) write_boundaries(state);
  // Only now are all files of the frame whole, and may be named by the series.
  together(comm_, [&] {
    if (rank_ != 0) return;
    for (const char* name : {"bodies", "contacts"}) add_to_series(name, state.time, frame_of(name) + ".pvtp");
    if (has_boundaries) add_to_series("boundaries", state.time, frame_of("boundaries") + ".vtp");
  });
}

void VtkWriter::take_back(const Before& before) {
  sampling_ = before.sampling;
  extent_ = before.extent;
  std::error_code ignored;
  for (const std::string& file : written_) std::filesystem::remove(file, ignored);
  for (const char* name : kSeriesNames) {
    const auto series = series_.find(name);
    if (series == series_.end()) continue;
    const auto path = std::filesystem::path(model_.output.directory) / (std::string(name) + ".pvd");
    const auto size = before.sizes.find(name);
    if (size == before.sizes.end()) {
      if (series->second) std::filesystem::remove(path, ignored);
      series_.erase(series);
    } else if (series->second->size() != size->second) {
      try {
        series->second = std::make_unique<EnclosedFile>(path.string(), kSeriesTail, FileSize{size->second});
      } catch (const RunError&) {  // the error that ends the frame is reported
      }
    }
  }
}

void VtkWriter::keep() {
  kept_.series[kFrames] = {sampling_.next(), sampling_.last_step(), frames_, -1};
  for (const auto& [name, file] : series_) kept_.series[name + ".pvd"].bytes = file->size();
  kept_.low = extent_.min();
  kept_.high = extent_.max();
}

void VtkWriter::add_cursors(OutputCursors& cursors) const {
  for (const auto& [name, cursor] : kept_.series) cursors.series[name] = cursor;
  cursors.low = kept_.low;
  cursors.high = kept_.high;
}

void VtkWriter::continue_from(const OutputCursors& cursors) {
  const OutputCursor frames = cursors.of(kFrames);
  frames_ = frames.files;
  sampling_.continue_from(frames.next, frames.last_step);
  extent_ = Eigen::AlignedBox3d(cursors.low, cursors.high);
  together(comm_, [&] {
    if (rank_ != 0) return;
    for (const char* name : kSeriesNames) {
      const std::string file = std::string(name) + ".pvd";
      const long bytes = cursors.of(file).bytes;
      const std::filesystem::path path = std::filesystem::path(model_.output.directory) / file;
      if (bytes >= 0) {
        series_[name] = std::make_unique<EnclosedFile>(path.string(), kSeriesTail, FileSize{bytes});
      } else {
        std::error_code ignored;  // what is in the way is reported when the series begins
        std::filesystem::remove(path, ignored);
      }
    }
  });
  keep();
}

void VtkWriter::write_pieces(const std::string& name, vtkPolyData& piece, double time) {
  const std::filesystem::path folder = model_.output.directory;
  const std::string stem = frame_of(name);
  const auto piece_name = [&](int rank) { return fmt::format("{}_{}.vtp", stem, rank); };
  together(comm_, [&] {  // listed before any rank creates one
    if (rank_ != 0) return;
    std::vector<std::string> files = {fmt::format("vtk/{}.pvtp", stem)};
    for (int rank = 0; rank < ranks_; ++rank) files.push_back("vtk/" + piece_name(rank));
    results_.add(files);
  });
  together(comm_, [&] { write((folder / "vtk" / piece_name(rank_)).string(), vtp_content(piece, time)); });
  // Only now are the pieces of all ranks whole, and may be named by the file that joins them.
  together(comm_, [&] {
    if (rank_ != 0) return;
    std::vector<std::string> pieces;
    pieces.reserve(ranks_);
    for (int rank = 0; rank < ranks_; ++rank) pieces.push_back(piece_name(rank));
    write((folder / "vtk" / (stem + ".pvtp")).string(), pvtp_content(piece, pieces));
  });
}

std::string VtkWriter::frame_of(const std::string& name) const {
  return fmt::format("{}_{:06}", name, frames_);
}

void VtkWriter::write(const std::string& path, const std::string& content) {
  write_whole_file(path, content);
  written_.push_back(path);
}

void VtkWriter::add_to_series(const std::string& name, double time, const std::string& file) {
  auto& series = series_[name];
  if (!series) {
    const auto path = std::filesystem::path(model_.output.directory) / (name + ".pvd");
    series = std::make_unique<EnclosedFile>(path.string(), kSeriesHead, kSeriesTail);
  }
  std::string entry = "    <DataSet timestep=\"";
  append_number(entry, time);
  series->append(entry + "\" part=\"0\" file=\"vtk/" + file + "\"/>\n");
}

void VtkWriter::write_boundaries(const AcceptedState& state) {
  together(comm_, [&] {
    if (rank_ != 0) return;
    const std::filesystem::path folder = model_.output.directory;
    const std::string name = frame_of("boundaries") + ".vtp";
    results_.add({"vtk/" + name});
    write(
        (folder / "vtk" / name).string(),
        vtp_content(*boundary_walls(model_, state.time, extent_, state.surfaces, state.bodies), state.time));
  });
}

void VtkWriter::grow_extent(const Bodies& bodies) {
  for (int i = 0; i < bodies.owned; ++i) {
    const Vec3 radius = Vec3::Constant(model_.shapes[bodies.properties[i].shape].bounding_radius);
    const Vec3 pole = bodies.periodic.wrap(bodies.state[i].x);
    extent_.extend(pole - radius).extend(Vec3(pole + radius));
  }
  Vec3 high = extent_.max(), low = -extent_.min();
  MPI_Allreduce(MPI_IN_PLACE, high.data(), 3, MPI_DOUBLE, MPI_MAX, comm_);
  MPI_Allreduce(MPI_IN_PLACE, low.data(), 3, MPI_DOUBLE, MPI_MAX, comm_);
  extent_.min() = -low;
  extent_.max() = high;
}

}  // namespace scree
