#include "io/output/output_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <string>

#include "core/text.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

TEST(OutputNames, WhatLeavesTheDirectoryOrIsNoFileIsAFault) {
  const std::string nul("energy\0.csv", 11);
  for (const std::string name : {"", "../a.csv", "a/../../b.csv", "a/../b.csv", "..", "a/..", "/tmp/a.csv",
                                 "a/", ".", "a/.", "./", "a\nb.csv", "a\x7f.csv"})
    EXPECT_THAT(name_fault(name), HasSubstr("; expected ")) << name;
  EXPECT_THAT(name_fault(nul),
              HasSubstr("got \"energy\\u0000.csv\"; expected a name without control characters"));
}

TEST(OutputNames, ANameMayBeAsLongAsTheSystemTakesWithTheMarkOfAnIncompleteFile) {
  const std::size_t most = NAME_MAX - kTemporarySuffix.size();
  EXPECT_EQ(name_fault(std::string(most, 'a')), "");
  EXPECT_THAT(name_fault(std::string(most + 1, 'a')), HasSubstr("bytes between two slashes"));
  EXPECT_THAT(name_fault(text::join(std::string(most + 1, 'a'), "/b.csv")),
              HasSubstr("bytes between two slashes"));
}

TEST(OutputNames, TheProgramsOwnFilesAreTaken) {
  for (const std::string name :
       {"report.json", "last_state.csv", "scree_files.txt", "bodies.pvd", "contacts.pvd", "boundaries.pvd",
        "contacts_index.csv", "contacts.000000.csv", "contacts.1234567.csv", "vtk", "vtk/bodies_000000_0.vtp",
        "vtk/contacts_000017_12.vtp", "vtk/bodies_000000.pvtp", "vtk/contacts_1000000.pvtp",
        "vtk/boundaries_000000.vtp", "./report.json", "vtk//bodies_000000_0.vtp", "report.json/a.csv",
        "bodies.pvd/sub/a.csv"})
    EXPECT_THAT(name_fault(name), HasSubstr("the program itself writes")) << name;
  EXPECT_THAT(name_fault("energy.csv.scree-tmp"), HasSubstr("marks files that are not complete"));
}

TEST(OutputNames, OthersAreValid) {
  for (const std::string name :
       {"energy.csv", "./energy.csv", "sub/a.csv", "a..b.csv", "...", "contacts.csv", "contacts.00000.csv",
        "contacts.00000a.csv", "contacts.mine.csv", "vtk/energy.csv", "vtk2", "vtk/bodies_000000.vtp",
        "vtk/bodies_00000_0.vtp", "vtk/bodies_000000_.vtp", "vtk/boundaries_000000.pvtp", "bodies.pvd.csv",
        "sub/report.json", "ein Name mit Leerzeichen.csv", "größe.csv"})
    EXPECT_EQ(name_fault(name), "") << name;
}

TEST(OutputNames, EqualFilesHaveEqualNames) {
  EXPECT_EQ(normalised_name("./a.csv"), "a.csv");
  EXPECT_EQ(normalised_name("sub//./a.csv"), "sub/a.csv");
  EXPECT_TRUE(is_folder_of("sub", "sub/a.csv"));
  EXPECT_FALSE(is_folder_of("sub", "sub"));
  EXPECT_FALSE(is_folder_of("sub", "subway/a.csv"));
}

TEST(OutputNames, ARunHoldsWhatItsDeckAsksForAndItsReports) {
  OutputDescription output;
  output.histories.resize(1);
  output.histories[0].file = "deep/er/energy.csv";
  const OutputFiles plain(output);
  for (const char* name : {"report.json", "last_state.csv", "scree_files.txt", "deep/er/energy.csv",
                           "deep/er/energy.csv.scree-tmp"})
    EXPECT_TRUE(plain.holds(name)) << name;
  for (const char* name : {"energy.csv", "bodies.pvd", "contacts_index.csv", "contacts.000000.csv",
                           "vtk/bodies_000000.pvtp", "deep", "final.csv"})
    EXPECT_FALSE(plain.holds(name)) << name;
  EXPECT_THAT(plain.folders(), ::testing::ElementsAre("deep", "deep/er"));
  EXPECT_EQ(plain.where("deep/er/energy.csv"), "/output/histories/0/file");
  output.vtk_every = output.contacts_every = 0;
  output.final_state = "final.csv";
  const OutputFiles full(output);
  for (const char* name : {"bodies.pvd", "contacts_index.csv", "contacts.000000.csv",
                           "vtk/bodies_000000.pvtp", "vtk/bodies_000000_3.vtp.scree-tmp", "final.csv"})
    EXPECT_TRUE(full.holds(name)) << name;
  EXPECT_THAT(full.folders(), ::testing::ElementsAre("deep", "deep/er", "vtk"));
  EXPECT_EQ(full.where("vtk/bodies_000000_3.vtp.scree-tmp"), "/output/vtk");
  EXPECT_EQ(full.where("contacts.000009.csv"), "/output/contacts");
  EXPECT_EQ(full.where("final.csv"), "/output/final_state");
  EXPECT_FALSE(full.holds("checkpoint.000001.h5"));
  output.checkpoint.wanted = true;
  EXPECT_TRUE(OutputFiles(output).holds("checkpoint.000001.h5.scree-tmp"));
  EXPECT_EQ(OutputFiles(output).where("checkpoint.000001.h5"), "/output/checkpoint");
  EXPECT_NE(name_fault("checkpoint.000001.h5"), "");
}

TEST(NumberedFiles, HaveASeriesAndANumber) {
  using Series = NumberedFile::Series;
  const auto is = [](const char* name, Series series, long number) {
    const auto file = numbered_file(name);
    return file && file->series == series && file->number == number;
  };
  EXPECT_TRUE(is("contacts.000012.csv", Series::contacts, 12));
  EXPECT_TRUE(is("vtk/bodies_000007_3.vtp", Series::frames, 7));
  EXPECT_TRUE(is("vtk/contacts_1234567.pvtp", Series::frames, 1234567));
  EXPECT_TRUE(is("vtk/boundaries_000000.vtp", Series::frames, 0));
  EXPECT_TRUE(is(checkpoint_name(5).c_str(), Series::checkpoints, 5));
  for (const char* name :
       {"energy.csv", "bodies.pvd", "contacts_index.csv", "checkpoint.1.h5", "report.json"})
    EXPECT_FALSE(numbered_file(name)) << name;
}

}  // namespace
}  // namespace scree
