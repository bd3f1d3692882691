#include "assembly/petsc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"

namespace scree::petsc {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

VecHandle make_vector() {
  VecHandle vec;
  check(VecCreateMPI(PETSC_COMM_WORLD, 3, PETSC_DETERMINE, vec.put()), "creating a vector");
  return vec;
}

TEST(PetscCheck, SaysWhatWasDoneAndWhatPetscSaid) {
  const VecHandle vec = make_vector();
  try {
    check(VecSetType(vec, "nonsense"), "choosing a vector");
    FAIL() << "an unknown type was accepted";
  } catch (const RunError& e) {
    EXPECT_THAT(e.what(), AllOf(StartsWith("while choosing a vector: "),
                                HasSubstr("Unknown vector type: nonsense"), HasSubstr("VecSetType")));
  }
}

TEST(PetscCheck, DoesNotRepeatTheTextOfAnOlderError) {
  const VecHandle vec = make_vector();
  EXPECT_THROW(check(VecSetType(vec, "nonsense"), "choosing a vector"), RunError);
  try {
    check(PETSC_ERR_MEM, "allocating memory");
    FAIL() << "an error code was ignored";
  } catch (const RunError& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("allocating memory"), Not(HasSubstr("nonsense"))));
  }
}

PetscInt references(Vec vec) {
  PetscInt count = 0;
  check(PetscObjectGetReference(reinterpret_cast<PetscObject>(vec), &count), "counting references");
  return count;
}

TEST(PetscHandle, ReleasesWhatItHoldsOnce) {
  const VecHandle witness = make_vector();
  const auto share = [&witness] {
    check(PetscObjectReference(reinterpret_cast<PetscObject>(witness.get())), "sharing");
    return VecHandle(witness.get());
  };
  {
    VecHandle a = share();
    VecHandle b = std::move(a);
    EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move): what is left is the question
    EXPECT_EQ(references(witness), 2);
    VecHandle c = make_vector();
    c = std::move(b);
    EXPECT_EQ(c.get(), witness.get());
    EXPECT_EQ(references(witness), 2);
    c = make_vector();
    EXPECT_EQ(references(witness), 1);
  }
  EXPECT_EQ(references(witness), 1);
}

TEST(PetscValues, OpenTheLocalPart) {
  const VecHandle vec = make_vector();
  { VecValues(vec).data()[2] = 7; }
  EXPECT_EQ(ConstVecValues(vec).data()[2], 7);
}

TEST(PetscLog, CountsAnEventUnderItsNameAndInItsStage) {
  const LogStage stage("Test stage");
  const LogStage same("Test stage");
  const LogEvent event("ScreeTestEvent");
  check(PetscLogDefaultBegin(), "starting the log");
  for (int k = 0; k < 3; ++k) {
    const LogScope in_stage(k == 0 ? same : stage);
    const LogScope in_event(event);
  }
  PetscLogStage stage_id = -1;
  PetscLogEvent event_id = -1;
  check(PetscLogStageGetId("Test stage", &stage_id), "finding a stage");
  check(PetscLogEventGetId("ScreeTestEvent", &event_id), "finding an event");
  PetscEventPerfInfo info{};
  check(PetscLogEventGetPerfInfo(stage_id, event_id, &info), "reading the log");
  EXPECT_EQ(info.count, 3);
}

}  // namespace
}  // namespace scree::petsc
