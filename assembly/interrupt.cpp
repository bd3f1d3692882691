#include "assembly/interrupt.hpp"

namespace scree {

void check_interrupt(MPI_Comm comm) {
  int asked = interrupt_requested() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &asked, 1, MPI_INT, MPI_MAX, comm);
  if (asked != 0) throw Interrupted();
}

double max_or_interrupt(double value, MPI_Comm comm) {
  double both[2] = {value, interrupt_requested() ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_MAX, comm);
  if (both[1] > 0) throw Interrupted();
  return both[0];
}

}  // namespace scree
