/// The LCP of a step of the cannonball pyramid by one method; prints a line of JSON. See
/// bench/lcp_pyramid.py.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>

#include "solvers/contact_dynamics/lcp.hpp"
#include "solvers/contact_dynamics/test_problems.hpp"

namespace cd = scree::contact_dynamics;
namespace petsc = scree::petsc;

namespace {

/// Of this process: neighbours on the machine do not count.
double core_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// N and p in units of LcpScales, as rows "i j value" of N and "i value" of p; for solvers of others.
void write(const std::string& file, const cd::ContactOperator& contacts, Vec p, const cd::LcpScales& scales) {
  const petsc::MatHandle n = contacts.delassus_matrix();
  PetscInt rows = 0;
  petsc::check(MatGetSize(n, &rows, nullptr), "writing N");
  std::FILE* out = std::fopen((file + ".matrix").c_str(), "w");
  for (PetscInt i = 0; i < rows; ++i) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    petsc::check(MatGetRow(n, i, &count, &columns, &values), "writing N");
    for (PetscInt k = 0; k < count; ++k) {
      const double value = values[k] * scales.force / scales.rate;
      if (value != 0) std::fprintf(out, "%d %d %.17g\n", i, columns[k], value);
    }
    petsc::check(MatRestoreRow(n, i, &count, &columns, &values), "writing N");
  }
  std::fclose(out);
  out = std::fopen((file + ".vector").c_str(), "w");
  const petsc::ConstVecValues values(p);
  for (PetscInt i = 0; i < rows; ++i) std::fprintf(out, "%.17g\n", values.data()[i] / scales.rate);
  std::fclose(out);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The LCP of a step of the cannonball pyramid");
  int base = 20, repeat = 1;
  double speed = 0, gap = 0, tolerance = 1e-9;
  std::string method = "apgd", file;
  app.add_option("--base", base, "spheres along the base");
  app.add_option("--speed", speed, "random velocities up to this per component [m/s]");
  app.add_option("--gap", gap, "of all contacts [m]");
  app.add_option("--method", method);
  app.add_option("--tolerance", tolerance);
  app.add_option("--repeat", repeat, "solves, of which the fastest counts");
  app.add_option("--write", file, "writes N and p to FILE.matrix and FILE.vector, in scaled units");
  app.allow_extras();  // PETSc's
  CLI11_PARSE(app, argc, argv);
  const petsc::Session session(&argc, &argv);
  cd::StepProblem whole = cd::problems::pyramid(base, cd::problems::Kind::hooke, cd::problems::kGrains);
  if (speed > 0) cd::problems::shake(whole, speed);
  cd::problems::spread(whole, gap);
  const cd::StepProblem problem = cd::problems::dealt(whole, PETSC_COMM_WORLD);
  const cd::ContactOperator contacts(problem);
  const petsc::VecHandle p = contacts.per_contact(), f = contacts.per_contact();
  contacts.offset(problem, p);
  const cd::LcpSolver solver(cd::lcp_method(method, "--method"));
  cd::LcpResult result;
  double least = HUGE_VAL;
  for (int k = 0; k < repeat; ++k) {
    petsc::check(VecSet(f, 0), "starting from no force");
    const double start = core_seconds();
    result = solver.solve(contacts, problem, p, f, tolerance);
    least = std::min(least, core_seconds() - start);
  }
  if (!file.empty()) write(file, contacts, p, result.scales);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  PetscInt constraints = 0;
  petsc::check(VecGetSize(f, &constraints), "counting contacts");
  petsc::check(
      PetscPrintf(
          PETSC_COMM_WORLD,
          "{\"method\": \"%s\", \"bodies\": %zu, \"contacts\": %d, \"seconds\": %.6g, \"iterations\": %ld, "
          "\"products\": %ld, \"residual\": %.3g, \"converged\": %s, \"cause\": \"%s\", \"peak_kB\": %ld}\n",
          method.c_str(), whole.bodies.size(), constraints, least, result.iterations, result.products,
          result.residual, result.converged ? "true" : "false", result.cause.c_str(), usage.ru_maxrss),
      "printing");
  return 0;
}
