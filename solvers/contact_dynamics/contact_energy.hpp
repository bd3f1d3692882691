/// Bodies joined by elastic contacts that carry no tension: the convex function whose minimum gives
/// compatible forces, with its gradient, distributed (theory 07 sections 3 and 5).
#pragma once

#include <utility>
#include <vector>

#include "assembly/petsc.hpp"
#include "solvers/contact_dynamics/elastic_law.hpp"
#include "solvers/contact_dynamics/step_problem.hpp"

namespace scree::contact_dynamics {

/// E(z) = 1/2 (z - z0)^T A (z - z0) + g.z + sum_i W_i(x_i), x = -(B z + o), over displacements z of the
/// bodies.
///
/// Compatible forces (section 3): z the displacement of the no-tension truss, g the needed load, A a small
/// shift. One step (section 5): z = lambda h v, A = M / (lambda h^2), z0 the free motion, o the scaled gap.
/// In both the gradient is a force: A (z - z0) + g - B^T f.
///
/// The unknowns of a body are its three displacements alone where no contact has a lever arm, otherwise six,
/// rotations times the body's radius of gyration, so that all are lengths. Fixed ones are held by a unit
/// diagonal and zero rows of B.
class ContactEnergy {
 public:
  /// @param contacts indices into problem.constraints, of this rank; @param friction whether contacts have
  /// tangential components. `problem` must outlive this. Collective. @throws RunError where PETSc fails.
  ContactEnergy(const StepProblem& problem, std::vector<int> contacts, bool friction);

  [[nodiscard]] const StepProblem& problem() const { return *problem_; }
  [[nodiscard]] const std::vector<int>& contacts() const { return contacts_; }
  [[nodiscard]] const std::vector<ElasticLaw>& laws() const { return laws_; }
  [[nodiscard]] int block() const { return block_; }  ///< unknowns of a body: 3 or 6
  [[nodiscard]] int rows() const { return rows_; }    ///< components of a contact: 1 or 3
  /// Row `row` of contact `i` (in the order of `contacts`), `block` entries for body a, then for b.
  [[nodiscard]] const double* row(std::size_t i, int row) const;
  /// Whether an unknown of a body may move.
  [[nodiscard]] bool free(int body, int unknown) const;

  /// Of every unknown, how many contacts have a lever on it. Collective.
  void touched(Vec count) const;

  /// A new vector of displacements, zero. Collective.
  [[nodiscard]] petsc::VecHandle displacements() const;
  /// Between scaled unknowns and six per owned body: `loads` divides rotations by the length, `motions`
  /// multiplies them. @param six, scaled distributed vectors. What has no unknown is left alone or zero.
  void from_loads(Vec six, Vec scaled) const;
  void from_motions(Vec six, Vec scaled) const;
  void to_motions(Vec scaled, Vec six) const;

  /// Bodies of contact `i` (in the order of `contacts`); b is -1 for a wall.
  [[nodiscard]] int a(std::size_t i) const { return a_[i]; }
  [[nodiscard]] int b(std::size_t i) const { return b_[i]; }
  /// Calls visit(block, rows) with what this problem has, as constants of the compiler.
  template <class Visit>
  void dispatch(Visit&& visit) const {
    using std::integral_constant;
    if (block_ == 3)
      visit(integral_constant<int, 3>{}, integral_constant<int, 1>{});  // friction brings rotations
    else if (rows_ == 1)
      visit(integral_constant<int, 6>{}, integral_constant<int, 1>{});
    else
      visit(integral_constant<int, 6>{}, integral_constant<int, 3>{});
  }

  /// A = factor times the identity on what is free; @param unit diagonal of what is fixed.
  void shift(double factor, double unit);
  /// A = factor times the mass matrix.
  void inertia(double factor);
  /// A: per owned body block x block.
  [[nodiscard]] const std::vector<double>& metric() const { return metric_; }
  /// Another number whenever A was set.
  [[nodiscard]] long metric_version() const { return metric_version_; }
  /// Adds A d to a result.
  void apply_metric(Vec d, Vec result) const { add_metric(d, false, result); }
  /// z0, copied.
  void centre(Vec z0);
  /// g, copied.
  void load(Vec g);
  /// o, `rows` values per contact.
  void offsets(std::vector<double> o) { offsets_ = std::move(o); }

  /// x = -(B z + o), or -(B z) of a direction; `rows` values per contact. Collective.
  void compressions(Vec z, std::vector<double>& x) const;
  void directions(Vec z, std::vector<double>& x) const;
  /// f of every component of every contact at compressions x.
  void forces(const std::vector<double>& x, std::vector<double>& f) const;
  /// Gradient [N]. Collective.
  void gradient(Vec z, Vec result) const;
  /// B^T f without what is fixed. Collective.
  void assembled(const std::vector<double>& f, Vec result) const;
  /// E(z), summed over ranks. Collective.
  [[nodiscard]] double energy(Vec z) const;
  /// dE/ds along z + s d, from x and dx = directions(d) and the constant parts of A: `quadratic` + s
  /// `curvature` + f(x + s dx).dx, summed over ranks. Collective.
  [[nodiscard]] double slope(const std::vector<double>& x, const std::vector<double>& dx, double s,
                             double quadratic, double curvature) const;
  /// The two constants of `slope`: (A (z - z0) + g).d and d.A d. Collective.
  void slope_constants(Vec z, Vec d, double& quadratic, double& curvature) const;

 private:
  void build_rows();
  void to_local(Vec z) const;
  void add_metric(Vec z, bool centred, Vec result) const;

  const StepProblem* problem_;
  std::vector<int> contacts_;
  int block_ = 6;
  int rows_ = 1;
  std::vector<ElasticLaw> laws_;
  std::vector<int> a_, b_;
  std::vector<double> row_;     ///< per contact: rows x block of a, then of b
  std::vector<double> length_;  ///< of rotations, per body
  std::vector<char> free_;      ///< per body, block values
  std::vector<double> offsets_;
  std::vector<double> metric_;  ///< A: per owned body block x block
  petsc::VecHandle centre_, load_, ghosted_;
  mutable petsc::VecHandle work_;
  long metric_version_ = 0;
};

}  // namespace scree::contact_dynamics
