#include "assembly/petsc.hpp"

#include <string>

#include "core/error.hpp"

namespace scree::petsc {
namespace {

/// Message of PETSc on the error that is on its way up to `check`.
struct Trace {
  std::string message;  ///< of the function that raised it
  std::string raised_in;
};

Trace& trace() {
  static Trace kept;
  return kept;
}

/// Keeps the first message of an error and passes its code on; PETSc calls it again for each frame on the way
/// up.
PetscErrorCode keep_message(MPI_Comm /*comm*/, int /*line*/, const char* function, const char* /*file*/,
                            PetscErrorCode error, PetscErrorType type, const char* message,
                            void* /*context*/) {
  try {
    if (type == PETSC_ERROR_INITIAL) {
      trace().message = message == nullptr ? "" : message;
      trace().raised_in = function == nullptr ? "" : function;
    }
  } catch (...) {  // no memory for the text: the code alone must do
    return error;
  }
  return error;
}

PetscClassId log_class() {
  static const PetscClassId id = [] {
    PetscClassId made = 0;
    check(PetscClassIdRegister("Scree", &made), "registering the log class");
    return made;
  }();
  return id;
}

}  // namespace

void fail(PetscErrorCode error, const char* doing) {
  std::string text = std::string("while ") + doing + ": ";
  const char* generic = nullptr;
  if (running()) (void)PetscErrorMessage(error, &generic, nullptr);
  text += generic != nullptr && *generic != '\0' ? generic : "PETSc error " + std::to_string(error);
  Trace said;
  std::swap(said, trace());
  while (!said.message.empty() && (said.message.back() == '\n' || said.message.back() == ' '))
    said.message.pop_back();
  if (!said.message.empty()) text += ": " + said.message;
  if (!said.raised_in.empty()) text += " (in " + said.raised_in + ")";
  throw RunError(text);
}

bool running() noexcept {
  PetscBool started = PETSC_FALSE;
  PetscBool ended = PETSC_FALSE;
  (void)PetscInitialized(&started);
  (void)PetscFinalized(&ended);
  return started == PETSC_TRUE && ended == PETSC_FALSE;
}

void set_default(const std::string& prefix, const std::string& name, const char* value, const char* doing) {
  PetscBool given = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, prefix.c_str(), ("-" + name).c_str(), &given), doing);
  if (given == PETSC_FALSE) check(PetscOptionsSetValue(nullptr, ("-" + prefix + name).c_str(), value), doing);
}

std::vector<std::string> unused_options() {
  constexpr const char* kDoing = "looking for options that were not used";
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  check(PetscOptionsLeftGet(nullptr, &count, &names, &values), kDoing);
  std::vector<std::string> unused(names, names + count);
  check(PetscOptionsLeftRestore(nullptr, &count, &names, &values), kDoing);
  return unused;
}

Session::Session(int* argc, char*** argv) {
  // Ctrl-C and failing asserts are the program's business, and PETSc's handlers print and abort.
  if (!running()) {
    check(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"), "starting PETSc");
    check(PetscInitialize(argc, argv, nullptr, nullptr), "starting PETSc");
    started_ = true;
  }
  check(PetscPushErrorHandler(keep_message, nullptr), "starting PETSc");
}

Session::~Session() {
  (void)PetscPopErrorHandler();
  if (started_) (void)PetscFinalize();
}

ErrorScope::ErrorScope() noexcept : is_set_(running() && PetscPushErrorHandler(keep_message, nullptr) == 0) {}

ErrorScope::~ErrorScope() {
  if (is_set_) (void)PetscPopErrorHandler();
}

VecValues::VecValues(Vec vec) : vec_(vec) { check(VecGetArray(vec_, &data_), "opening a vector"); }
VecValues::~VecValues() { (void)VecRestoreArray(vec_, &data_); }

ConstVecValues::ConstVecValues(Vec vec) : vec_(vec) {
  check(VecGetArrayRead(vec_, &data_), "opening a vector");
}
ConstVecValues::~ConstVecValues() { (void)VecRestoreArrayRead(vec_, &data_); }

LogEvent::LogEvent(const char* name) {
  // Registered twice, a name has two numbers, which count apart.
  check(PetscLogEventGetId(name, &id_), "looking up a log event");
  if (id_ < 0) check(PetscLogEventRegister(name, log_class(), &id_), "registering a log event");
}
void LogEvent::begin() const noexcept { (void)PetscLogEventBegin(id_, nullptr, nullptr, nullptr, nullptr); }
void LogEvent::end() const noexcept { (void)PetscLogEventEnd(id_, nullptr, nullptr, nullptr, nullptr); }

LogStage::LogStage(const char* name) {
  // PETSc refuses a second registration of a name, two objects may want the same stage.
  check(PetscLogStageGetId(name, &id_), "looking up a log stage");
  if (id_ < 0) check(PetscLogStageRegister(name, &id_), "registering a log stage");
}
void LogStage::begin() const noexcept { (void)PetscLogStagePush(id_); }
void LogStage::end() const noexcept { (void)PetscLogStagePop(); }

}  // namespace scree::petsc
