#include "solvers/contact_dynamics/contact_energy.hpp"

#include <algorithm>
#include <cmath>

#include "assembly/ghosted_vec.hpp"
#include "solvers/contact_dynamics/contact_operator.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kEvaluating = "evaluating elastic contacts";

/// Below this part of its length a lever arm is along the normal: what round-off makes of a sphere's.
constexpr double kAlong = 1e-12;

bool has_lever(const Constraint& contact) {
  return contact.arm_a.cross(contact.normal).norm() > kAlong * contact.arm_a.norm() ||
         (contact.b >= 0 && contact.arm_b.cross(contact.normal).norm() > kAlong * contact.arm_b.norm());
}

/// Radius of gyration over what is free; 1 where it has no meaning.
double length_of(const StepBody& body) {
  double mass = 0, inertia = 0;
  int masses = 0, inertias = 0;
  for (int k = 0; k < 3; ++k) {
    if (body.mass(k, k) > 0) mass += body.mass(k, k), ++masses;
    if (body.mass(3 + k, 3 + k) > 0) inertia += body.mass(3 + k, 3 + k), ++inertias;
  }
  return masses > 0 && inertias > 0 ? std::sqrt(inertia / inertias / (mass / masses)) : 1;
}

template <int Rows>
Eigen::Matrix<double, Rows, 1> part(const std::vector<double>& values, std::size_t i) {
  return Eigen::Map<const Eigen::Matrix<double, Rows, 1>>(values.data() + Rows * i);
}

}  // namespace

ContactEnergy::ContactEnergy(const StepProblem& problem, std::vector<int> contacts, bool friction)
    : problem_(&problem), contacts_(std::move(contacts)), rows_(friction ? 3 : 1) {
  int rotates = friction ? 1 : 0;
  for (const int i : contacts_) rotates |= has_lever(problem.constraints[i]) ? 1 : 0;
  for (const StepBody& body : problem.bodies)  // a pole off the centre of mass couples rotation in
    rotates |= body.mass.topRightCorner<3, 3>().isZero(0) ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &rotates, 1, MPI_INT, MPI_MAX, problem.comm);
  block_ = rotates != 0 ? 6 : 3;
  build_rows();
  std::vector<PetscInt> ghosts;
  for (std::size_t k = problem.owned; k < problem.bodies.size(); ++k)
    ghosts.push_back(problem.bodies[k].number);
  check(VecCreateGhostBlock(problem.comm, block_, block_ * problem.owned, PETSC_DETERMINE,
                            static_cast<PetscInt>(ghosts.size()), ghosts.data(), ghosted_.put()),
        kEvaluating);
  work_ = displacements();
  centre_ = displacements();
  load_ = displacements();
  offsets_.assign(contacts_.size() * rows_, 0);
  metric_.assign(static_cast<std::size_t>(problem.owned) * block_ * block_, 0);
}

void ContactEnergy::build_rows() {
  const StepProblem& problem = *problem_;
  free_.assign(problem.bodies.size() * block_, 0);
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    length_.push_back(length_of(problem.bodies[b]));
    for (int k = 0; k < block_; ++k) free_[block_ * b + k] = problem.bodies[b].inverse_mass(k, k) > 0;
  }
  row_.assign(contacts_.size() * rows_ * 2 * block_, 0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Constraint& contact = problem.constraints[contacts_[i]];
    a_.push_back(contact.a);
    b_.push_back(contact.b);
    laws_.push_back({contact.stiffness_ratio, contact.exponent, contact.friction});
    Constraint along = contact;  // the tangents have rows of the same form as the normal
    const Vec3 first = contact.normal.unitOrthogonal();
    const std::array<Vec3, 3> axes{contact.normal, first, contact.normal.cross(first)};
    double* to = row_.data() + i * rows_ * 2 * block_;
    for (int r = 0; r < rows_; ++r) {
      along.normal = axes[r];
      const auto put = [&](int body, const Vec6& full) {
        for (int k = 0; k < block_; ++k, ++to)
          if (body >= 0 && free_[block_ * body + k] != 0) *to = full[k] / (k < 3 ? 1 : length_[body]);
      };
      put(contact.a, row_of_a(along));
      put(contact.b, row_of_b(along));
    }
  }
}

const double* ContactEnergy::row(std::size_t i, int row) const {
  return row_.data() + (i * rows_ + row) * 2 * block_;
}

bool ContactEnergy::free(int body, int unknown) const { return free_[block_ * body + unknown] != 0; }

petsc::VecHandle ContactEnergy::displacements() const {
  petsc::VecHandle vec;
  check(VecDuplicate(ghosted_, vec.put()), kEvaluating);
  check(VecSet(vec, 0), kEvaluating);
  return vec;
}

void ContactEnergy::from_loads(Vec six, Vec scaled) const {
  const petsc::ConstVecValues from(six);
  const petsc::VecValues to(scaled);
  for (int b = 0; b < problem_->owned; ++b)
    for (int k = 0; k < block_; ++k)
      to.data()[block_ * b + k] = free(b, k) ? from.data()[6 * b + k] / (k < 3 ? 1 : length_[b]) : 0;
}

void ContactEnergy::from_motions(Vec six, Vec scaled) const {
  const petsc::ConstVecValues from(six);
  const petsc::VecValues to(scaled);
  for (int b = 0; b < problem_->owned; ++b)
    for (int k = 0; k < block_; ++k)
      to.data()[block_ * b + k] = free(b, k) ? from.data()[6 * b + k] * (k < 3 ? 1 : length_[b]) : 0;
}

void ContactEnergy::to_motions(Vec scaled, Vec six) const {
  const petsc::ConstVecValues from(scaled);
  const petsc::VecValues to(six);
  for (int b = 0; b < problem_->owned; ++b)
    for (int k = 0; k < block_; ++k)
      if (free(b, k)) to.data()[6 * b + k] = from.data()[block_ * b + k] / (k < 3 ? 1 : length_[b]);
}

void ContactEnergy::shift(double factor, double unit) {
  ++metric_version_;
  std::fill(metric_.begin(), metric_.end(), 0.0);
  for (int b = 0; b < problem_->owned; ++b)
    for (int k = 0; k < block_; ++k)
      metric_[(static_cast<std::size_t>(b) * block_ + k) * block_ + k] = free(b, k) ? factor : unit;
}

void ContactEnergy::inertia(double factor) {
  shift(0, 0);
  double largest = 0, unit = 0;
  for (int b = 0; b < problem_->owned; ++b)
    for (int i = 0; i < block_; ++i)
      for (int j = 0; j < block_; ++j) {
        if (!free(b, i) || !free(b, j)) continue;
        const double lengths = (i < 3 ? 1 : length_[b]) * (j < 3 ? 1 : length_[b]);
        double& entry = metric_[(static_cast<std::size_t>(b) * block_ + i) * block_ + j];
        entry = factor * problem_->bodies[b].mass(i, j) / lengths;
        largest = std::max(largest, entry);
      }
  MPI_Allreduce(&largest, &unit, 1, MPI_DOUBLE, MPI_MAX, problem_->comm);
  for (int b = 0; b < problem_->owned; ++b)
    for (int k = 0; k < block_; ++k)
      if (!free(b, k)) metric_[(static_cast<std::size_t>(b) * block_ + k) * block_ + k] = unit;
}

void ContactEnergy::centre(Vec z0) { check(VecCopy(z0, centre_), kEvaluating); }
void ContactEnergy::load(Vec g) { check(VecCopy(g, load_), kEvaluating); }

void ContactEnergy::to_local(Vec z) const {
  check(VecCopy(z, ghosted_), kEvaluating);
  petsc::copy_owners_to_ghosts(ghosted_, kEvaluating);
}

void ContactEnergy::directions(Vec z, std::vector<double>& x) const {
  to_local(z);
  x.resize(contacts_.size() * rows_);
  const petsc::LocalForm form(ghosted_);
  const petsc::ConstVecValues values(form);
  const double* local = values.data();
  dispatch([&](auto block, auto rows) {
    using Row = Eigen::Map<const Eigen::Matrix<double, block(), 1>>;
    const double* entry = row_.data();
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      for (int r = 0; r < rows(); ++r, entry += 2 * block()) {
        double rate = Row(entry).dot(Row(local + block() * a_[i]));
        if (b_[i] >= 0) rate += Row(entry + block()).dot(Row(local + block() * b_[i]));
        x[rows() * i + r] = -rate;
      }
  });
}

void ContactEnergy::compressions(Vec z, std::vector<double>& x) const {
  directions(z, x);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= offsets_[k];
}

void ContactEnergy::forces(const std::vector<double>& x, std::vector<double>& f) const {
  f.resize(x.size());
  dispatch([&](auto /*block*/, auto rows) {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const auto answer = respond<rows()>(laws_[i], part<rows()>(x, i), false);
      std::copy_n(answer.force.data(), rows(), f.data() + rows() * i);
    }
  });
}

void ContactEnergy::assembled(const std::vector<double>& f, Vec result) const {
  {
    const petsc::LocalForm form(ghosted_);
    check(VecSet(form, 0), kEvaluating);
    const petsc::VecValues values(form);
    double* local = values.data();
    dispatch([&](auto block, auto rows) {
      using Row = Eigen::Map<const Eigen::Matrix<double, block(), 1>>;
      using Target = Eigen::Map<Eigen::Matrix<double, block(), 1>>;
      const double* entry = row_.data();
      for (std::size_t i = 0; i < contacts_.size(); ++i)
        for (int r = 0; r < rows(); ++r, entry += 2 * block()) {
          const double force = f[rows() * i + r];
          if (force == 0) continue;
          Target(local + block() * a_[i]) += force * Row(entry);
          if (b_[i] >= 0) Target(local + block() * b_[i]) += force * Row(entry + block());
        }
    });
  }
  petsc::add_ghosts_to_owners(ghosted_, kEvaluating);
  check(VecCopy(ghosted_, result), kEvaluating);
}

void ContactEnergy::touched(Vec count) const {
  {
    const petsc::LocalForm form(ghosted_);
    check(VecSet(form, 0), kEvaluating);
    const petsc::VecValues values(form);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      for (int k = 0; k < block_; ++k) {
        values.data()[block_ * a_[i] + k] += row(i, 0)[k] != 0 ? 1 : 0;
        if (b_[i] >= 0) values.data()[block_ * b_[i] + k] += row(i, 0)[block_ + k] != 0 ? 1 : 0;
      }
  }
  petsc::add_ghosts_to_owners(ghosted_, kEvaluating);
  check(VecCopy(ghosted_, count), kEvaluating);
}

void ContactEnergy::add_metric(Vec z, bool centred, Vec result) const {
  const petsc::ConstVecValues from(z);
  const petsc::ConstVecValues centre(centre_);
  const petsc::VecValues to(result);
  dispatch([&](auto block, auto /*rows*/) {
    using Column = Eigen::Matrix<double, block(), 1>;
    using Square = Eigen::Map<const Eigen::Matrix<double, block(), block(), Eigen::RowMajor>>;
    for (std::ptrdiff_t b = 0; b < problem_->owned; ++b) {
      Column moved = Eigen::Map<const Column>(from.data() + block() * b);
      if (centred) moved -= Eigen::Map<const Column>(centre.data() + block() * b);
      Eigen::Map<Column>(to.data() + block() * b) += Square(metric_.data() + block() * block() * b) * moved;
    }
  });
}

void ContactEnergy::gradient(Vec z, Vec result) const {
  std::vector<double> x, f;
  compressions(z, x);
  forces(x, f);
  assembled(f, result);
  check(VecAYPX(result, -1, load_), kEvaluating);
  add_metric(z, true, result);
}

double ContactEnergy::energy(Vec z) const {
  std::vector<double> x;
  compressions(z, x);
  double mine = 0;
  dispatch([&](auto /*block*/, auto rows) {
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      mine += potential<rows()>(laws_[i], part<rows()>(x, i));
  });
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, problem_->comm);
  const petsc::VecHandle moved = displacements();
  check(VecWAXPY(moved, -1, centre_, z), kEvaluating);
  double quadratic = 0, curvature = 0, work = 0;
  slope_constants(z, moved, quadratic, curvature);
  check(VecDot(load_, z, &work), kEvaluating);
  return all + curvature / 2 + work;
}

void ContactEnergy::slope_constants(Vec z, Vec d, double& quadratic, double& curvature) const {
  check(VecCopy(load_, work_), kEvaluating);
  add_metric(z, true, work_);
  check(VecDot(work_, d, &quadratic), kEvaluating);
  check(VecSet(work_, 0), kEvaluating);
  add_metric(d, false, work_);
  check(VecDot(work_, d, &curvature), kEvaluating);
}

double ContactEnergy::slope(const std::vector<double>& x, const std::vector<double>& dx, double s,
                            double quadratic, double curvature) const {
  double mine = 0;
  dispatch([&](auto /*block*/, auto rows) {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Eigen::Matrix<double, rows(), 1> along = part<rows()>(dx, i);
      const auto answer = respond<rows()>(laws_[i], part<rows()>(x, i) + s * along, false);
      mine += answer.force.dot(along);
    }
  });
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, problem_->comm);
  return quadratic + s * curvature + all;
}

}  // namespace scree::contact_dynamics
