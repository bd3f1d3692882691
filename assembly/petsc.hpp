/// PETSc in C++: owning handles, one error path, the session and log entries. Nothing here knows physics.
#pragma once

#include <petscksp.h>
#include <petscmat.h>
#include <petscsnes.h>
#include <petsctao.h>
#include <petscvec.h>

#include <string>
#include <utility>
#include <vector>

namespace scree::petsc {

/// Prefix of options of a simulation that is given no other.
inline constexpr const char* kOptionsPrefix = "scree_";

/// Throws what `check` reports. @throws RunError always.
[[noreturn]] void fail(PetscErrorCode error, const char* doing);

/// The one error path of PETSc calls: `check(VecNorm(r, NORM_2, &norm), "measuring the residual")`.
/// @throws RunError "while <doing>: <PETSc's own message> (in <function that raised it>)". Not collective.
inline void check(PetscErrorCode error, const char* doing) {
  if (error != 0) [[unlikely]]
    fail(error, doing);
}

/// PETSc from construction to destruction. MPI is started and ended too, unless it already runs; PETSc too is
/// left as it is where somebody else has started it.
/// Signals keep the handlers they have, and errors of PETSc are returned (and thrown by `check`), never
/// printed or turned into an abort. At most one per process.
class Session {
 public:
  /// @param argc, argv of main; PETSc's options are read from there and from PETSC_OPTIONS; may be null.
  /// @throws RunError if PETSc does not start. Collective over MPI_COMM_WORLD.
  Session(int* argc, char*** argv);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Session(Session&&) = delete;
  Session& operator=(Session&&) = delete;

 private:
  bool started_ = false;
};

/// Errors of PETSc are returned (and thrown by `check`, with their messages) to the end of the scope. The
/// handler of the program is the same before and after; without PETSc the scope does nothing.
class ErrorScope {
 public:
  ErrorScope() noexcept;
  ~ErrorScope();
  ErrorScope(const ErrorScope&) = delete;
  ErrorScope& operator=(const ErrorScope&) = delete;
  ErrorScope(ErrorScope&&) = delete;
  ErrorScope& operator=(ErrorScope&&) = delete;

 private:
  bool is_set_;
};

/// Whether PETSc can be called: between the start and the end of a session.
[[nodiscard]] bool running() noexcept;

/// Owns one PETSc object; moves, does not copy. Converts to the raw handle, so that it can be passed to
/// PETSc. Creation and destruction are collective over the object's communicator.
template <class T, PetscErrorCode (*Destroy)(T*)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T raw) : raw_(raw) {}
  Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      raw_ = std::exchange(other.raw_, nullptr);
    }
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }

  /// Releases what is held and gives the place for a new object: `check(MatCreate(comm, m.put()), "...")`.
  [[nodiscard]] T* put() {
    reset();
    return &raw_;
  }
  [[nodiscard]] T get() const { return raw_; }
  operator T() const { return raw_; }  // NOLINT(google-explicit-constructor): every PETSc call takes it
  explicit operator bool() const { return raw_ != nullptr; }
  /// Releases what is held; after the session has ended there is nothing left to release.
  void reset() noexcept {
    if (raw_ != nullptr && running()) (void)Destroy(&raw_);
    raw_ = nullptr;
  }

 private:
  T raw_ = nullptr;
};

using VecHandle = Handle<Vec, VecDestroy>;
using MatHandle = Handle<Mat, MatDestroy>;
using KspHandle = Handle<KSP, KSPDestroy>;
using SnesHandle = Handle<SNES, SNESDestroy>;
using TaoHandle = Handle<Tao, TaoDestroy>;
using IsHandle = Handle<IS, ISDestroy>;
using ScatterHandle = Handle<VecScatter, VecScatterDestroy>;
using NullSpaceHandle = Handle<MatNullSpace, MatNullSpaceDestroy>;
using ViewerHandle = Handle<PetscViewer, PetscViewerDestroy>;

/// Local values of a Vec while it lives, for reading and writing. `data()[0]` is the first owned entry.
class VecValues {
 public:
  explicit VecValues(Vec vec);
  ~VecValues();
  VecValues(const VecValues&) = delete;
  VecValues& operator=(const VecValues&) = delete;
  VecValues(VecValues&&) = delete;
  VecValues& operator=(VecValues&&) = delete;
  [[nodiscard]] PetscScalar* data() const { return data_; }

 private:
  Vec vec_;
  PetscScalar* data_ = nullptr;
};

/// Local values of a Vec while it lives, for reading only.
class ConstVecValues {
 public:
  explicit ConstVecValues(Vec vec);
  ~ConstVecValues();
  ConstVecValues(const ConstVecValues&) = delete;
  ConstVecValues& operator=(const ConstVecValues&) = delete;
  ConstVecValues(ConstVecValues&&) = delete;
  ConstVecValues& operator=(ConstVecValues&&) = delete;
  [[nodiscard]] const PetscScalar* data() const { return data_; }

 private:
  Vec vec_;
  const PetscScalar* data_ = nullptr;
};

/// A line of -log_view. Register once: `static const petsc::LogEvent event("ScreeTangent");`
class LogEvent {
 public:
  /// @throws RunError if PETSc does not run. First use in the same order on all ranks.
  explicit LogEvent(const char* name);
  void begin() const noexcept;
  void end() const noexcept;

 private:
  PetscLogEvent id_ = -1;
};

/// A stage of -log_view: what happens within it is counted apart. Register once, like LogEvent.
class LogStage {
 public:
  explicit LogStage(const char* name);
  void begin() const noexcept;
  void end() const noexcept;

 private:
  PetscLogStage id_ = -1;
};

/// Counts the time from here to the end of the scope: `const petsc::LogScope scope(event);`
template <class Entry>
class LogScope {
 public:
  explicit LogScope(const Entry& entry) : entry_(entry) { entry_.begin(); }
  ~LogScope() { entry_.end(); }
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;
  LogScope(LogScope&&) = delete;
  LogScope& operator=(LogScope&&) = delete;

 private:
  const Entry& entry_;
};

/// @returns names, without dash, of the options that nothing has asked PETSc for until now.
std::vector<std::string> unused_options();

/// Gives PETSc an option unless the user has: some things have no function. @param prefix with the trailing
/// underscore, no dash. @param name without dash. @throws RunError where PETSc fails.
void set_default(const std::string& prefix, const std::string& name, const char* value, const char* doing);

}  // namespace scree::petsc
