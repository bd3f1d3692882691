/// Which preconditioner serves the stiffness of a contact network, chosen by what it sees (theory 10 section
/// 2).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/contact_dynamics/block_mic.hpp"

namespace scree::contact_dynamics {

/// Beyond, factors take gigabytes (theory 10 section 2: 36 to 55 kB a body).
inline constexpr PetscInt kMostBodiesToFactor = 30000;

/// `automatic` factors small systems, tries MIC(0) by height on larger ones, and where its pivots or
/// iterations say that it does not fit goes direct (to `kMostBodiesToFactor` bodies) or multigrid. "direct":
/// MUMPS; "multigrid": GAMG smoothed by block Jacobi with ICC; "block_jacobi": the bodies' own blocks.
enum class Preconditioning { automatic, mic, multigrid, block_jacobi, direct };

/// A PCSHELL for blocks of bodies.
class ContactPreconditioner {
 public:
  /// @param prefix of the options of direct and multigrid. Collective.
  ContactPreconditioner(MPI_Comm comm, std::string prefix, Preconditioning wanted,
                        std::vector<double> rank_of);

  /// To be used as preconditioner of `pc`. Collective.
  void attach(PC pc);
  /// Factors anew, or moves on to what may do better. @param matrix BAIJ, always the same nonzeros.
  /// @param for_accuracy whether many iterations are to follow, so that the best factors are worth a search.
  /// Collective.
  void update(Mat matrix, bool for_accuracy);
  /// Reports that the solves diverge: `automatic` continues with the next matrix. @returns whether there
  /// is anything left to move on to.
  bool disappointed(const std::string& why);
  [[nodiscard]] const std::string& description() const { return description_; }

 private:
  void factor_incompletely(Mat matrix, bool for_accuracy);
  void set_up_inner(Mat matrix);
  void move_on(const std::string& why);
  static PetscErrorCode apply(PC pc, Vec x, Vec y);

  MPI_Comm comm_;
  std::string prefix_;
  Preconditioning wanted_;
  Preconditioning method_;
  std::vector<double> rank_of_;
  std::unique_ptr<BlockMic> factors_;
  petsc::Handle<PC, PCDestroy> inner_;
  petsc::MatHandle scalar_;  ///< the matrix by entries, which factorisations want
  std::string description_;
  PetscInt bodies_ = 0;
  std::size_t level_ = 0;  ///< of compensation, the last one used
  double least_compensation_ = 1;
};

}  // namespace scree::contact_dynamics
