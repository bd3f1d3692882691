/// Time and accuracy of compatible forces on the square pyramid (bench/compatible_forces.py drives it).
///   compatible_forces N hooke|hertz|two_species [FORCES.csv [one-step]] [PETSc options]
/// Prints one line of figures; FORCES.csv gets i, j and the force of every contact in units of m g, from rank
/// 0.
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <string>

#include "solvers/contact_dynamics/compatibility.hpp"
#include "solvers/contact_dynamics/one_step.hpp"
#include "solvers/contact_dynamics/test_problems.hpp"

namespace {

using namespace scree::contact_dynamics;
namespace petsc = scree::petsc;

problems::Kind kind_of(const std::string& name) {
  if (name == "hertz") return problems::Kind::hertz;
  return name == "two_species" ? problems::Kind::two_species : problems::Kind::hooke;
}

int run(int argc, char** argv) {
  const int n = std::stoi(argv[1]);
  const StepProblem whole = problems::pyramid(n, kind_of(argv[2]));
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  const auto load = problems::weights(mine, op);
  const auto forces = op.per_contact();
  const std::vector<char> closed(mine.constraints.size(), 1);
  const bool one_step = argc > 4 && std::string(argv[4]) == "one-step";
  MPI_Barrier(mine.comm);
  const double start = MPI_Wtime();
  const std::clock_t begin = std::clock();  // of the processor: on a shared machine the wall says little
  CompatibilityReport report;
  if (one_step) {
    const OneStepResult result = solve_one_step(mine, op);
    petsc::check(VecCopy(result.normal, forces), "measuring");
    report.newton = result.report.newton;
    report.krylov = result.report.krylov;
    report.restarts = result.report.levels;
    report.balance = result.report.change;
    report.converged = result.report.converged;
    report.method = "one step (restarts: levels, balance: change), " + result.report.method;
  } else {
    report = compatible_forces(mine, closed, load, {}, forces);
  }
  const double seconds = MPI_Wtime() - start;
  const double own = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const std::vector<double> all = problems::by_key(mine, forces, whole.constraints.size());
  int rank = 0;
  MPI_Comm_rank(mine.comm, &rank);
  if (rank != 0) return 0;
  std::printf(
      "bodies %zu contacts %zu seconds %.4f of_processor %.4f newton %d krylov %ld restarts %d balance %.1e "
      "loaded %ld %s\n",
      whole.bodies.size(), all.size(), seconds, own, report.newton, report.krylov, report.restarts,
      report.balance, report.loaded, report.method.c_str());
  if (argc > 3 && argv[3][0] != '-') {
    std::ofstream file(argv[3]);
    file << "i,j,force\n" << std::setprecision(17);
    for (std::size_t i = 0; i < all.size(); ++i)
      file << whole.constraints[i].a << ',' << whole.constraints[i].b << ',' << all[i] << '\n';
  }
  return report.converged ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(
        stderr,
        "usage: compatible_forces N hooke|hertz|two_species [FORCES.csv [one-step]] [PETSc options]\n");
    return 2;
  }
  const scree::petsc::Session session(&argc, &argv);
  return run(argc, argv);
}
