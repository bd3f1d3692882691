#include "io/output/state_writer.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include "io/collective.hpp"
#include "io/output/checked_file.hpp"
#include "io/output/number_format.hpp"

namespace scree {
namespace {

struct Row {
  BodyId id;
  int shape, material;
  std::array<double, 13> values;  ///< position, orientation, velocity, angular velocity
};

Row row_of(const BodyProperties& body, const Vec3& pole, const BodyState& s) {
  return {body.id,
          body.shape,
          body.material,
          {pole.x(), pole.y(), pole.z(), s.q.w(), s.q.x(), s.q.y(), s.q.z(), s.v.x(), s.v.y(), s.v.z(),
           s.w.x(), s.w.y(), s.w.z()}};
}

}  // namespace

void write_state(const AcceptedState& state, const std::string& path, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const Model& model = *state.model;
  std::unique_ptr<WholeFile> file;
  together(comm, [&] {
    if (rank != 0) return;
    file = std::make_unique<WholeFile>(path);
    file->append("name,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,shape,material\n");
  });
  const Bodies& bodies = *state.bodies;
  int at = 0;  // owned bodies stand in ascending order of ids
  const auto next = [&] { return next_run(at < bodies.owned ? bodies.properties[at].id : kNoBody, comm); };
  for (BodyId first = next(); first != kNoBody; first = next()) {
    std::vector<Row> mine;
    for (; at < bodies.owned && bodies.properties[at].id - first < kGatherChunk; ++at)
      mine.push_back(
          row_of(bodies.properties[at], bodies.periodic.wrap(bodies.state[at].x), bodies.state[at]));
    std::vector<Row> rows = gather_to_root(mine, comm);
    together(comm, [&] {
      if (rank != 0) return;
      std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
      std::string text;
      for (const Row& row : rows) {
        text += csv_field(body_label(model, row.id));
        for (const double value : row.values) {
          text += ',';
          append_number(text, value);
        }
        text += ',' + csv_field(model.shapes[row.shape].name) + ',' +
                csv_field(model.materials[row.material].name) + '\n';
      }
      file->append(text);
    });
  }
  together(comm, [&] {
    if (rank == 0) file->commit();
  });
}

void StateWriter::accepted(const AcceptedState& state) {
  began_ = true;
  if (!state.last) return;
  const std::filesystem::path folder = model_.output.directory;
  if (!is_whole(state)) {
    write_state(state, (folder / kLastStateFile).string(), comm_);
  } else if (!model_.output.final_state.empty()) {
    write_state(state, (folder / model_.output.final_state).string(), comm_);
  }
}

std::string StateWriter::rescue(const AcceptedState& state) {
  if (!began_) return "";
  const std::string file = (std::filesystem::path(model_.output.directory) / kLastStateFile).string();
  write_state(state, file, comm_);
  return file;
}

}  // namespace scree
