/// Ghosted vectors of PETSc: what a rank holds of others, beside its own entries.
#pragma once

#include "assembly/petsc.hpp"

namespace scree::petsc {

/// The local part of a ghosted vector, own entries and then ghosts, for as long as it lives.
class LocalForm {
 public:
  explicit LocalForm(Vec ghosted) : ghosted_(ghosted) {
    check(VecGhostGetLocalForm(ghosted, &local_), kDoing);
  }
  ~LocalForm() { (void)VecGhostRestoreLocalForm(ghosted_, &local_); }
  LocalForm(const LocalForm&) = delete;
  LocalForm& operator=(const LocalForm&) = delete;
  operator Vec() const { return local_; }  // NOLINT(google-explicit-constructor): every PETSc call takes it

 private:
  static constexpr const char* kDoing = "reaching the local part of a vector";
  Vec ghosted_;
  Vec local_ = nullptr;
};

/// Every ghost gets its owner's value. Collective.
inline void copy_owners_to_ghosts(Vec ghosted, const char* doing) {
  check(VecGhostUpdateBegin(ghosted, INSERT_VALUES, SCATTER_FORWARD), doing);
  check(VecGhostUpdateEnd(ghosted, INSERT_VALUES, SCATTER_FORWARD), doing);
}

/// Every owner adds what ranks hold of it as ghosts, which they keep. Collective.
inline void add_ghosts_to_owners(Vec ghosted, const char* doing) {
  check(VecGhostUpdateBegin(ghosted, ADD_VALUES, SCATTER_REVERSE), doing);
  check(VecGhostUpdateEnd(ghosted, ADD_VALUES, SCATTER_REVERSE), doing);
}

/// Every owner gets the largest of its value and of what ranks hold of it as ghosts. Collective.
inline void raise_owners_to_ghosts(Vec ghosted, const char* doing) {
  check(VecGhostUpdateBegin(ghosted, MAX_VALUES, SCATTER_REVERSE), doing);
  check(VecGhostUpdateEnd(ghosted, MAX_VALUES, SCATTER_REVERSE), doing);
}

}  // namespace scree::petsc
