#include "io/output/contact_writer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <vector>

#include "io/collective.hpp"
#include "io/output/number_format.hpp"
#include "io/output/output_names.hpp"

namespace scree {
namespace {

/// A contact as it travels; the members stand in the order of the columns, which is the order of sorting.
struct ContactRow {
  BodyId body_a, body_b;
  /// Point, normal, gap, normal force, friction, weight, share; normal force of the LCP, its bounds.
  std::array<double, 16> values;

  friend bool operator<(const ContactRow& a, const ContactRow& b) {
    return std::tie(a.body_a, a.body_b, a.values) < std::tie(b.body_a, b.body_b, b.values);
  }
};

/// Where ContactRow::values begins with what only contact dynamics has.
constexpr std::size_t kFirstFound = 13, kLeast = 14;

std::vector<ContactRow> sorted_rows(const std::vector<ContactRecord>& contacts) {
  std::vector<ContactRow> rows;
  rows.reserve(contacts.size());
  for (const auto& c : contacts) {
    rows.push_back({c.body_a,
                    c.body_b,
                    {c.point.x(), c.point.y(), c.point.z(), c.normal.x(), c.normal.y(), c.normal.z(), c.gap,
                     c.normal_force, c.friction.x(), c.friction.y(), c.friction.z(), c.weight, c.share,
                     c.first_found, c.force_min, c.force_max}});
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

ContactWriter::ContactWriter(const Model& model, MPI_Comm comm, ResultsFolder& results)
    : model_(model), comm_(comm), results_(results), sampling_(model.output.contacts_every) {
  MPI_Comm_rank(comm_, &rank_);
}

void ContactWriter::accepted(const AcceptedState& state) {
  const Sampling sampling = sampling_;
  if (state.interrupted || !sampling_.due(state)) return;
  const std::filesystem::path folder = model_.output.directory;
  const std::string name = fmt::format("contacts.{:06}.csv", files_++);
  const std::string path = (folder / name).string();
  const long index_size = index_ ? index_->size() : -1;
  is_whole_ = false;
  try {
    together(comm_, [&] {
      if (rank_ != 0) return;
      results_.add({name});
      if (index_) return;
      index_ = std::make_unique<GrowingFile>((folder / kContactsIndex).string());
      index_->append("file,time\n");
    });
    write(state, path);
    together(comm_, [&] {
      if (rank_ != 0) return;
      std::string row = name + ',';
      append_number(row, state.time);
      index_->append(row += '\n');
    });
  } catch (...) {
    take_back(path, sampling, index_size);
    throw;
  }
  if (sampling_.reached())
    kept_ = {sampling_.next(), sampling_.last_step(), files_, index_ ? index_->size() : -1};
}

void ContactWriter::take_back(const std::string& path, const Sampling& sampling, long index_size) {
  sampling_ = sampling;
  --files_;
  std::error_code ignored;
  if (is_whole_) std::filesystem::remove(path, ignored);
  if (!index_ || index_->size() == index_size) return;
  index_.reset();
  try {
    continue_file(index_, (std::filesystem::path(model_.output.directory) / kContactsIndex).string(),
                  index_size);
  } catch (const RunError&) {  // the error that ends the output is reported
  }
}

void ContactWriter::continue_from(const OutputCursors& cursors) {
  kept_ = cursors.of(kContactFiles);
  files_ = kept_.files;
  sampling_.continue_from(kept_.next, kept_.last_step);
  together(comm_, [&] {
    if (rank_ != 0) return;
    const auto path = std::filesystem::path(model_.output.directory) / kContactsIndex;
    continue_file(index_, path.string(), kept_.bytes);
  });
}

void ContactWriter::write(const AcceptedState& state, const std::string& path) {
  const std::vector<ContactRow> mine = sorted_rows(state.queries->contacts());
  const bool lcp = model_.output.lcp_forces;
  const bool intervals = !model_.output.intervals.empty();
  std::unique_ptr<WholeFile> file;
  together(comm_, [&] {
    if (rank_ != 0) return;
    file = std::make_unique<WholeFile>(path);
    file->append(std::string("body_a,body_b,x,y,z,nx,ny,nz,gap,fn,ftx,fty,ftz,weight,share") +
                 (lcp ? ",fn_lcp" : "") + (intervals ? ",fn_min,fn_max" : "") + '\n');
  });
  const auto label = [this](BodyId id) {
    return csv_field(id >= 0 ? body_label(model_, id) : boundary_label(model_, static_cast<int>(-1 - id)));
  };
  auto begin = mine.begin();
  const auto next = [&] { return next_run(begin != mine.end() ? begin->body_a : kNoBody, comm_); };
  for (BodyId first = next(); first != kNoBody; first = next()) {
    const auto end = std::find_if(begin, mine.end(),
                                  [&](const ContactRow& r) { return r.body_a - first >= kGatherChunk; });
    std::vector<ContactRow> rows = gather_to_root(std::vector<ContactRow>(begin, end), comm_);
    begin = end;
    together(comm_, [&] {
      std::sort(rows.begin(), rows.end());
      std::string text;
      for (const ContactRow& row : rows) {
        text += label(row.body_a) + ',' + label(row.body_b);
        const bool bounded = row.values[kLeast] <= row.values[kLeast + 1];
        for (std::size_t k = 0; k < row.values.size(); ++k) {
          if ((k == kFirstFound && !lcp) || (k >= kLeast && !intervals)) continue;
          text += ',';
          if (k < kLeast || bounded) append_number(text, row.values[k]);  // else nobody asked: left empty
        }
        text += '\n';
      }
      if (rank_ == 0) file->append(text);
    });
  }
  together(comm_, [&] {
    if (rank_ != 0) return;
    file->commit();
    is_whole_ = true;
  });
}

}  // namespace scree
