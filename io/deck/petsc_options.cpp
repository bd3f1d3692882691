#include "io/deck/petsc_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "io/output/output_names.hpp"

namespace scree {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";

/// Options that PETSc keeps elsewhere, or that change the names of those that follow.
constexpr std::array<std::string_view, 5> kIndirect = {"options_file", "options_file_yaml",
                                                       "options_string_yaml", "prefix_push", "prefix_pop"};
/// Options that write or load files also where they name none.
constexpr std::array<std::string_view, 16> kFiles = {"history",
                                                     "log",
                                                     "log_all",
                                                     "log_mpe",
                                                     "dll_append",
                                                     "dll_prepend",
                                                     "draw_save",
                                                     "draw_save_movie",
                                                     "draw_save_final_image",
                                                     "draw_save_single_file",
                                                     "viewer_binary_filename",
                                                     "snes_mf_noise_file",
                                                     "mat_mumps_ooc_tmpdir",
                                                     "pc_mg_dump_binary",
                                                     "pc_mg_dump_matlab",
                                                     "pc_nn_save_coarse_matrix"};
/// Options whose value, if they have one, is a file.
constexpr std::array<std::string_view, 4> kFileValue = {"log_trace", "malloc_dump", "malloc_view",
                                                        "malloc_log"};
/// Viewers that write a file of PETSc's choice, or to a socket, where no file is named.
constexpr std::array<std::string_view, 11> kFileViewers = {
    "binary", "hdf5", "matlab", "vtk", "adios", "exodusii", "cgns", "glvis", "socket", "mathematica", "saws"};
constexpr std::array<std::string_view, 3> kScreenViewers = {"", "ascii", "draw"};
constexpr std::array<std::string_view, 2> kScreen = {"stdout", "stderr"};
constexpr std::array<std::string_view, 6> kSwitches = {"true", "false", "yes", "no", "on", "off"};

/// Ends of the names that PETSc's solvers read a word or a number for; without one they keep their default.
constexpr std::array<std::string_view, 12> kValued = {"_type",   "_rtol",      "_atol",          "_stol",
                                                      "_dtol",   "_divtol",    "_gatol",         "_grtol",
                                                      "_max_it", "_max_funcs", "_gmres_restart", "_levels"};

constexpr const char* kInstead =
    "Without a file name the output goes to standard output, which can be redirected.";

template <class Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether PETSc takes a word as a name: -x.., but not a number (PetscOptionsValidKey), which "-inf" is.
bool is_option(const std::string& word) {
  if (word.size() < 2 || word[0] != '-' || std::isalpha(static_cast<unsigned char>(word[1])) == 0)
    return false;
  char* end = nullptr;
  (void)std::strtod(word.c_str(), &end);
  return end == word.c_str() || *end == '_' || std::isalnum(static_cast<unsigned char>(*end)) != 0;
}

bool is_number(const std::string& word) {
  char* end = nullptr;
  (void)std::strtod(word.c_str(), &end);
  return end != word.c_str() && (*end == '\0' || *end == ',');  // "-1,1": a list
}

/// The part of a viewer [type]:[file]:[format]:[mode] before colon number k.
std::string_view part(std::string_view viewer, int k) {
  for (; k > 0; --k) {
    const std::size_t colon = viewer.find(':');
    if (colon == std::string_view::npos) return "";
    viewer.remove_prefix(colon + 1);
  }
  return viewer.substr(0, viewer.find(':'));
}

/// Whether a name is `base`, or ends with it behind a prefix of solvers.
bool is_named(std::string_view name, std::string_view base) {
  return name == base || (name.size() > base.size() && name.ends_with(base) &&
                          name[name.size() - base.size() - 1] == '_' && base.find('_') != base.npos);
}

bool names_file(std::string_view viewer) {
  return !part(viewer, 1).empty() || holds(kFileViewers, part(viewer, 0));
}

/// Whether PETSc would open a file for the option. @param name, value in lower case.
bool opens_file(std::string_view name, const std::string& value) {
  const auto is_one = [name](std::string_view base) { return is_named(name, base); };
  if (std::any_of(kFiles.begin(), kFiles.end(), is_one)) return true;
  if (value.empty()) return false;
  if (std::any_of(kFileValue.begin(), kFileValue.end(), is_one)) return true;
  if (name == "info") return !part(value, 0).empty();  // FILE:classes
  const auto has = [name](std::string_view text) { return name.find(text) != std::string_view::npos; };
  const bool shows = has("view") || has("monitor") || has("converged_reason");
  if (shows && has("tao_")) return !holds(kScreen, value);  // the value is a file's name as it is
  if (value[0] == '/' || value[0] == '~' || value.starts_with("./") || value.starts_with("../")) return true;
  // Some take several viewers, with commas between them.
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const std::size_t comma = value.find(',', begin);
    const std::string one = value.substr(begin, comma == std::string::npos ? comma : comma - begin);
    begin = comma == std::string::npos ? comma : comma + 1;
    if (names_file(one)) return true;
    if (shows && !holds(kScreenViewers, part(one, 0)) && !holds(kSwitches, one) && !is_number(one))
      return true;
  }
  return false;
}

/// An option as it was given.
std::string in_words(const PetscOption& option) {
  return quoted_name('-' + option.name + (option.value.empty() ? "" : ' ' + option.value));
}

/// @returns what is wrong with an option, "" if nothing.
std::string fault_of(const PetscOption& option) {
  const std::string name = text::lower_case(option.name);
  if (holds(kIndirect, name))
    return fmt::format(
        "\"-{}\" is not supported: write the options themselves into /solver/petsc_options, or after \"--\", "
        "with their prefix.",
        option.name);
  const auto ends_name = [&name](std::string_view end) { return name.ends_with(end); };
  if (option.value.empty() && std::any_of(kValued.begin(), kValued.end(), ends_name))
    return fmt::format("\"-{}\" has no value, and would have no effect; expected \"-{} VALUE\".", option.name,
                       option.name);
  if (!opens_file(name, text::lower_case(option.value))) return "";
  return fmt::format(
      "{} would write or load a file; expected no file name, as in \"-log_view\" or \"-log_view "
      "::ascii_info_detail\". {}",
      in_words(option), kInstead);
}

std::string stray(const std::string& word) {
  constexpr const char* kExpected = "expected \"-NAME\" or \"-NAME VALUE\", as in \"-scree_ksp_type cg\"";
  if (word.starts_with('-')) return fmt::format("{} is not an option; {}.", quoted_name(word), kExpected);
  return fmt::format(
      "{} does not belong to an option: names begin with a dash and have at most one value; {}.",
      quoted_name(word), kExpected);
}

}  // namespace

std::vector<std::string> petsc_words(const std::string& text, const std::string& where) {
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string::npos;
       at = text.find_first_not_of(kBlanks, at)) {
    const char first = text[at];
    if (first != '"' && first != '\'') {
      const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
      words.push_back(text.substr(at, end - at));
      at = end;
      continue;
    }
    const std::size_t end = text.find(first, at + 1);
    if (end == std::string::npos) {
      throw InputError(where, fmt::format("the quote before {} is not closed; expected {} at its end.",
                                          quoted_name(text.substr(at + 1)), first));
    }
    words.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return words;
}

std::vector<PetscOption> petsc_options(const std::vector<std::string>& words, const std::string& where) {
  std::vector<PetscOption> options;
  std::vector<Diagnostic> faults;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (!is_option(words[k])) {
      faults.push_back({where, stray(words[k])});
      continue;
    }
    PetscOption option{words[k].substr(1), ""};
    if (k + 1 < words.size() && (!words[k + 1].starts_with('-') || is_number(words[k + 1])) &&
        !is_option(words[k + 1]))
      option.value = words[++k];
    if (const std::string what = fault_of(option); !what.empty()) faults.push_back({where, what});
    options.push_back(std::move(option));
  }
  if (!faults.empty()) throw InputError(std::move(faults));
  return options;
}

void check_given_once(const std::vector<PetscOption>& options, const std::string& where) {
  std::vector<Diagnostic> faults;
  std::map<std::string, const PetscOption*> before;
  for (const PetscOption& option : options) {
    const auto [it, is_new] = before.emplace(text::lower_case(option.name), &option);
    if (is_new) continue;
    faults.push_back({where, fmt::format("duplicate option: {} after {}; expected each name once.",
                                         in_words(option), in_words(*it->second))});
  }
  if (!faults.empty()) throw InputError(std::move(faults));
}

}  // namespace scree
