/// The Hessian of the energy of elastic contacts: a block per body and per pair in contact, written straight
/// into the matrix where both bodies are this rank's (theory 07 sections 3 and 5).
#pragma once

#include <vector>

#include "assembly/petsc.hpp"
#include "solvers/contact_dynamics/contact_energy.hpp"

namespace scree::contact_dynamics {

class ContactHessian {
 public:
  /// @param energy must outlive this. Collective. @throws RunError where PETSc fails.
  explicit ContactHessian(const ContactEnergy& energy);

  /// A + B^T K B at z, as a matrix of blocks of bodies, symmetric. The matrix belongs to this and keeps its
  /// nonzeros. @param bonded every contact with the stiffness it has at compression `bonded`, loaded or not;
  /// 0: as it is. Collective.
  [[nodiscard]] Mat at(Vec z, double bonded = 0);
  /// Whether what `at` returned last differs from what it returned before. Under Hooke's law it does only
  /// where contacts came or went.
  [[nodiscard]] bool changed() const { return changed_; }
  /// The last Hessian times d, by loaded contacts: quicker than its blocks, which have places for all.
  /// Collective.
  void product(Vec d, Vec result) const;

 private:
  void build_matrix();
  template <int Rows>
  bool stiffen(const std::vector<double>& x, double bonded);
  template <int Block, int Rows>
  void add_contacts(bool within, double* values);

  const ContactEnergy* energy_;
  petsc::VecHandle moved_, carried_;
  petsc::MatHandle matrix_;
  std::vector<double> stiffness_;  ///< per contact rows x rows (symmetric), of the last Hessian
  std::vector<int> stiff_;         ///< contacts whose stiffness is not zero
  bool changed_ = true;
  long metric_version_ = -1;  ///< of A in the last Hessian
  std::vector<int> slots_;    ///< per contact the places of aa, bb, ab, ba among the blocks; -1: by PETSc
  std::vector<int> diagonal_;
};

}  // namespace scree::contact_dynamics
