#include "io/output/output_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "core/text.hpp"

namespace scree {
namespace {

constexpr const char* kSeries[] = {"bodies.pvd", "contacts.pvd", "boundaries.pvd"};

bool is_digits(std::string_view text, std::size_t least) {
  return text.size() >= least && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Takes `prefix` and `suffix` away. @returns whether `text` had both.
bool strip(std::string_view& text, std::string_view prefix, std::string_view suffix) {
  if (text.size() < prefix.size() + suffix.size() || !text.starts_with(prefix) || !text.ends_with(suffix))
    return false;
  text = text.substr(prefix.size(), text.size() - prefix.size() - suffix.size());
  return true;
}

bool is_contact_file(std::string_view name) { return strip(name, "contacts.", ".csv") && is_digits(name, 6); }

/// vtk/bodies_000000_0.vtp, vtk/bodies_000000.pvtp, the same for contacts, vtk/boundaries_000000.vtp.
bool is_vtk_file(std::string_view name) {
  std::string_view number = name;
  if (strip(number, "vtk/boundaries_", ".vtp")) return is_digits(number, 6);
  for (const char* series : {"vtk/bodies_", "vtk/contacts_"}) {
    if (number = name; strip(number, series, ".pvtp")) return is_digits(number, 6);
    if (number = name; strip(number, series, ".vtp")) {
      const std::size_t rank = number.find('_');
      return rank != std::string_view::npos && is_digits(number.substr(0, rank), 6) &&
             is_digits(number.substr(rank + 1), 1);
    }
  }
  return false;
}

bool is_checkpoint_file(std::string_view name) {
  return strip(name, "checkpoint.", ".h5") && is_digits(name, 6);
}

}  // namespace

std::optional<NumberedFile> numbered_file(std::string_view name) {
  using Series = NumberedFile::Series;
  NumberedFile file;
  if (is_contact_file(name)) {
    file.series = Series::contacts;
  } else if (is_vtk_file(name)) {
    file.series = Series::frames;
  } else if (is_checkpoint_file(name)) {
    file.series = Series::checkpoints;
  } else {
    return {};
  }
  // The number is the first one: "vtk/bodies_000012_3.vtp".
  name.remove_prefix(name.find_first_of("0123456789"));
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), file.number);
  if (error != std::errc()) return {};
  return file;
}

std::string checkpoint_name(long number) { return fmt::format("checkpoint.{:06}.h5", number); }

std::string quoted_name(const std::string& name) {
  return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string name_fault(const std::string& name) {
  const auto expected = [&name](std::string_view what) {
    return fmt::format("got {}; expected {}.", quoted_name(name), what);
  };
  const std::filesystem::path path(name);
  if (name.empty()) return expected("the name of a file");
  if (text::has_control_character(name)) return expected("a name without control characters");
  if (path.is_absolute()) return expected("a name relative to output/directory, not an absolute one");
  for (const auto& part : path) {
    if (part == "..") return expected("a name below output/directory, without \"..\"");
    const std::size_t most = NAME_MAX - kTemporarySuffix.size();
    if (part.string().size() > most)
      return expected(
          fmt::format("at most {} bytes between two slashes, not {}", most, part.string().size()));
  }
  if (!path.has_filename() || path.filename() == ".") return expected("the name of a file, not of a folder");
  for (std::filesystem::path part = normalised_name(name); !part.empty(); part = part.parent_path()) {
    if (is_program_file(part.string()) || (part == "vtk" && part == normalised_name(name)))  // may lie in it
      return expected(fmt::format("another name: the program itself writes \"{}\" there", part.string()));
    if (part.string().ends_with(kTemporarySuffix))
      return expected(
          fmt::format("another name: \"{}\" marks files that are not complete", kTemporarySuffix));
  }
  return "";
}

std::string normalised_name(const std::string& name) {
  return std::filesystem::path(name).lexically_normal().string();
}

std::string directory_fault(const std::string& directory) {
  if (directory.empty()) return "got \"\"; expected the name of a folder.";
  if (text::has_control_character(directory))
    return fmt::format("got {}; expected a name without control characters.", quoted_name(directory));
  return "";
}

bool is_program_file(std::string_view name) {
  return name == kListFile || name == kLastStateFile || name == kReportFile || name == kReserveFile ||
         name == kContactsIndex ||
         std::find(std::begin(kSeries), std::end(kSeries), name) != std::end(kSeries) ||
         is_contact_file(name) || is_vtk_file(name) || is_checkpoint_file(name);
}

bool is_folder_of(std::string_view folder, std::string_view file) {
  return file.size() > folder.size() && file.starts_with(folder) && file[folder.size()] == '/';
}

OutputFiles::OutputFiles(const OutputDescription& output)
    : named_{{"/output/directory", kReportFile},
             {"/output/directory", kLastStateFile},
             {"/output/directory", kReserveFile}},
      vtk_(output.vtk_every >= 0),
      contacts_(output.contacts_every >= 0),
      checkpoints_(output.checkpoint.wanted) {
  for (std::size_t h = 0; h < output.histories.size(); ++h)
    named_.push_back({fmt::format("/output/histories/{}/file", h), output.histories[h].file});
  if (!output.final_state.empty()) named_.push_back({"/output/final_state", output.final_state});
  if (contacts_) named_.push_back({"/output/contacts", kContactsIndex});
  if (vtk_) {
    for (const char* series : kSeries) named_.push_back({"/output/vtk", series});
  }
  std::set<std::string> folders;
  for (const NamedFile& file : named_) {
    for (auto part = std::filesystem::path(file.file).parent_path(); !part.empty(); part = part.parent_path())
      folders.insert(part.string());
  }
  if (vtk_) folders.insert("vtk");
  folders_.assign(folders.begin(), folders.end());  // "a" sorts before "a/b"
}

bool OutputFiles::holds(std::string_view name) const {
  if (name.ends_with(kTemporarySuffix)) name.remove_suffix(kTemporarySuffix.size());
  return name == kListFile || (contacts_ && is_contact_file(name)) || (vtk_ && is_vtk_file(name)) ||
         (checkpoints_ && is_checkpoint_file(name)) ||
         std::any_of(named_.begin(), named_.end(),
                     [name](const NamedFile& file) { return file.file == name; });
}

std::string OutputFiles::where(std::string_view name) const {
  if (name.ends_with(kTemporarySuffix)) name.remove_suffix(kTemporarySuffix.size());
  for (const NamedFile& file : named_)
    if (file.file == name) return file.where;
  if (is_vtk_file(name)) return "/output/vtk";
  if (is_checkpoint_file(name)) return "/output/checkpoint";
  return is_contact_file(name) ? "/output/contacts" : "/output/directory";
}

}  // namespace scree
