#include "io/deck/petsc_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kWhere = "/solver/petsc_options";

/// @returns "name=value" of each option.
std::vector<std::string> options_of(const std::string& text) {
  std::vector<std::string> shown;
  for (const PetscOption& option : petsc_options(petsc_words(text, kWhere), kWhere))
    shown.push_back(option.name + '=' + option.value);
  return shown;
}

std::string complaint(const std::string& text) {
  try {
    (void)options_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PetscOptions, AreNamesWithOrWithoutAValue) {
  EXPECT_THAT(options_of(""), ElementsAre());
  EXPECT_THAT(options_of(" -a  -b_c 1e-3\t-d -5\n-e -.5 -f -1,2"),
              ElementsAre("a=", "b_c=1e-3", "d=-5", "e=-.5", "f=-1,2"));
  EXPECT_THAT(options_of("-a 'x y' -b \"\" '-c'"), ElementsAre("a=x y", "b=", "c="));
  EXPECT_THAT(options_of("-a -inf"), ElementsAre("a=-inf"));  // a number, as for PETSc
}

TEST(PetscOptions, WordsOfNoOptionAreRefused) {
  EXPECT_THAT(complaint("scree_ksp_type cg"),
              HasSubstr("/solver/petsc_options: \"scree_ksp_type\" does not belong to an option: names "
                        "begin with a dash and have at most one value; expected \"-NAME\""));
  EXPECT_THAT(complaint("-a 1 2"), HasSubstr("\"2\" does not belong to an option"));
  for (const char* word : {"-", "--", "--a", "-5", "-a -", "-a --", "-a --b", "-a -_b"})
    EXPECT_THAT(complaint(word), HasSubstr("is not an option; expected")) << word;
  EXPECT_THAT(complaint("-a 'b c"), HasSubstr("the quote before \"b c\" is not closed; expected '"));
  const std::string all = complaint("a -b 1 2 -");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 2) << all;
}

TEST(PetscOptions, FilesAreRefused) {
  for (const char* text : {"-scree_snes_monitor :p2.json",
                           "-log_view :victim.csv",
                           "-LOG_VIEW :victim.csv",
                           "-log_view :victim.csv:ascii_xml",
                           "-log_view ::ascii_info_detail,:victim.csv",
                           "-scree_ksp_view ascii:victim.csv",
                           "-scree_ksp_view ascii:victim.csv:ascii_info:append",
                           "-scree_ksp_view_mat binary:f",
                           "-scree_ksp_view_mat binary",
                           "-scree_ksp_view_mat hdf5",
                           "-scree_ksp_view_mat draw:image.ppm",
                           "-scree_ksp_view_mat socket",
                           "-scree_ksp_view p2.json",
                           "-options_view :f",
                           "-options_monitor ascii:f",
                           "-unheard_of ascii:f",
                           "-unheard_of /tmp/f",
                           "-cd_lcp_tao_monitor victim.csv",
                           "-cd_lcp_tao_monitor 1",
                           "-cd_lcp_tao_view_solution victim",
                           "-scree_ksp_monitor_python module",
                           "-history",
                           "-history f",
                           "-info f",
                           "-info true",
                           "-info f:ksp",
                           "-log",
                           "-log_all f",
                           "-log_trace f",
                           "-malloc_dump f",
                           "-malloc_view f",
                           "-draw_save",
                           "-dll_append f.so",
                           "-viewer_binary_filename f",
                           "-scree_mat_mumps_ooc_tmpdir f"}) {
    EXPECT_THAT(complaint(text), StartsWith("/solver/petsc_options: \"-")) << text;
    EXPECT_THAT(complaint(text), HasSubstr("would write or load a file; expected no file name")) << text;
  }
}

TEST(PetscOptions, ViewsAndMonitorsWithoutAFileAreTaken) {
  for (const char* text : {"-scree_ksp_monitor",
                           "-scree_ksp_monitor true",
                           "-scree_ksp_monitor ascii",
                           "-scree_ksp_monitor draw::draw_lg",
                           "-scree_snes_monitor_lg_range 0,1",
                           "-scree_snes_converged_reason ::failed",
                           "-cd_lcp_tao_monitor",
                           "-cd_lcp_tao_monitor stdout",
                           "-log_view",
                           "-log_view ::ascii_info_detail",
                           "-log_trace",
                           "-malloc_dump",
                           "-malloc_view_threshold 1000",
                           "-info",
                           "-info :ksp,mat",
                           "-options_left",
                           "-options_view",
                           "-objects_dump all",
                           "-snes_fas_log",
                           "-scree_ksp_type gmres",
                           "-scree_pc_hypre_boomeramg_relax_type_all SOR/Jacobi"})
    EXPECT_EQ(complaint(text), "") << text;
}

TEST(PetscOptions, OptionsThatNeedAValueAreRefusedWithoutOne) {
  for (const char* text : {"-scree_ksp_rtol", "-scree_ksp_type", "-scree_ksp_rtol -scree_ksp_type cg",
                           "-cd_lcp_tao_gatol", "-scree_snes_max_it -log_view", "-scree_pc_factor_levels"})
    EXPECT_THAT(complaint(text), HasSubstr("has no value, and would have no effect; expected \"-")) << text;
  for (const char* text : {"-scree_ksp_rtol 1e-3", "-scree_ksp_type cg", "-scree_ksp_rtol -1"})
    EXPECT_EQ(complaint(text), "") << text;
}

TEST(PetscOptions, ANameIsGivenOnceInOnePlace) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      check_given_once(petsc_options(petsc_words(text, kWhere), kWhere), kWhere);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("-scree_ksp_type cg -scree_ksp_rtol 1e-3 -ksp_type gmres"), "");
  EXPECT_EQ(
      refusal("-scree_ksp_type cg -scree_ksp_type gmres"),
      "/solver/petsc_options: duplicate option: \"-scree_ksp_type gmres\" after \"-scree_ksp_type cg\"; "
      "expected each name once.");
  // To PETSc these are one name, and repetition of a value is no better than in other keys of a deck.
  EXPECT_THAT(refusal("-log_view -Log_View"), HasSubstr("\"-Log_View\" after \"-log_view\""));
  const std::string all = refusal("-a 1 -b -a 2 -b");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1) << all;
}

TEST(PetscOptions, OptionsThatStandElsewhereAreRefused) {
  for (const char* text : {"-options_file o", "-Options_File o", "-options_file_yaml o",
                           "-options_string_yaml a", "-prefix_push x_", "-prefix_pop"})
    EXPECT_THAT(complaint(text), HasSubstr("is not supported: write the options themselves")) << text;
}

}  // namespace
}  // namespace scree
