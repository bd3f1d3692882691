/// Modified incomplete Cholesky factors by blocks of bodies, without fill (theory 10 section 2).
#pragma once

#include <memory>
#include <vector>

#include "assembly/petsc.hpp"

namespace scree::contact_dynamics {

/// MIC(0) of this rank's own blocks of a symmetric block matrix, so that over ranks it is block Jacobi. Rows
/// in a given order; what elimination would fill in beyond the nonzeros is moved, made symmetric, to both
/// diagonals: (F + F^T) / 2, which keeps the answer to a uniform motion. On a pyramid, from top to bottom,
/// its iterations grow like the number of bodies to 0.18.
class BlockMic {
 public:
  virtual ~BlockMic() = default;
  /// Factors. @param matrix BAIJ. @param compensation part of the dropped fill that is moved to diagonals: 1
  /// is MIC(0), 0 plain IC(0). @returns the number of pivots that were not positive and gave way to the
  /// matrix's own diagonal block; each such one makes the factors worse. Not collective.
  virtual int factor(Mat matrix, double compensation) = 0;
  /// result = (L D L^T)^-1 x for the local entries. Not collective.
  virtual void apply(const double* x, double* result) const = 0;
};

/// @param matrix BAIJ with blocks of 3 or 6; @param rank_of ascending in the order of elimination, per own
/// body.
[[nodiscard]] std::unique_ptr<BlockMic> make_block_mic(Mat matrix, const std::vector<double>& rank_of);

}  // namespace scree::contact_dynamics
