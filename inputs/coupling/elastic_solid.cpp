#include "elastic_solid.hpp"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparsity_tools.h>
#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/data_postprocessor.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace scree::structure {

using dealii::Vector;

namespace {

constexpr double kBeta = 0.25, kGamma = 0.5;  // trapezoidal rule: theory 02 section 2

void check(PetscErrorCode error) {
  if (error != 0) throw std::runtime_error("PETSc failed in the structure, error " + std::to_string(error));
}

double lame_shear(const Elastic& material) { return material.young / (2.0 * (1.0 + material.poisson)); }
double lame_first(const Elastic& material) {
  return material.young * material.poisson / ((1.0 + material.poisson) * (1.0 - 2.0 * material.poisson));
}

/// Von Mises stress [Pa].
class Stress : public dealii::DataPostprocessorScalar<3> {
 public:
  explicit Stress(const Elastic& material)
      : DataPostprocessorScalar<3>("von_mises", dealii::update_gradients), material_(material) {}
  void evaluate_vector_field(const dealii::DataPostprocessorInputs::Vector<3>& inputs,
                             std::vector<Vector<double>>& results) const override {
    for (std::size_t q = 0; q < results.size(); ++q) {
      dealii::SymmetricTensor<2, 3> strain;
      for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = i; j < 3; ++j)
          strain[i][j] = 0.5 * (inputs.solution_gradients[q][i][j] + inputs.solution_gradients[q][j][i]);
      results[q][0] = std::sqrt(6.0) * lame_shear(material_) * dealii::deviator(strain).norm();
    }
  }

 private:
  Elastic material_;
};

}  // namespace

std::vector<double> equal_elements(double length, int count) {
  return std::vector<double>(static_cast<std::size_t>(count), length / count);
}

std::vector<double> graded_elements(double length, double size, int fine, double ratio) {
  std::vector<double> side;
  double next = size, rest = 0.5 * (length - fine * size);
  while (rest > 1.5 * next) {
    next *= ratio;
    side.push_back(next);
    rest -= next;
  }
  // The rest is distributed, so that no element is a sliver.
  const double sum = std::accumulate(side.begin(), side.end(), 0.0);
  for (double& one : side) one *= (sum + rest) / sum;
  std::vector<double> all(side.rbegin(), side.rend());
  all.insert(all.end(), static_cast<std::size_t>(fine), size);
  all.insert(all.end(), side.begin(), side.end());
  return all;
}

ElasticSolid::ElasticSolid(MPI_Comm comm, const Elastic& material, const Block& block,
                           const std::vector<Support>& supports, double spread)
    : comm_(comm), material_(material), mesh_(comm), element_(dealii::FE_Q<3>(2), 3), dofs_(mesh_) {
  number(block, supports);
  assemble();
  find_surface();
  spread_vertices(spread);
}

ElasticSolid::~ElasticSolid() {
  if (solver_ != nullptr) (void)KSPDestroy(&solver_);
}

void ElasticSolid::number(const Block& block, const std::vector<Support>& supports) {
  Place end = block.corner;
  std::vector<std::vector<double>> lengths;
  for (unsigned axis = 0; axis < 3; ++axis) {
    lengths.push_back(block.elements[axis]);
    end[axis] += std::accumulate(lengths.back().begin(), lengths.back().end(), 0.0);
  }
  top_ = end[2];
  dealii::GridGenerator::subdivided_hyper_rectangle(mesh_, lengths, block.corner, end);
  dofs_.distribute_dofs(element_);
  owned_ = dofs_.locally_owned_dofs();

  // Every rank has the whole mesh, and with it all nodes.
  std::vector<Place> places(dofs_.n_dofs());
  std::vector<unsigned> component(dofs_.n_dofs());
  std::vector<dealii::types::global_dof_index> indices(element_.n_dofs_per_cell());
  const dealii::MappingQ1<3> mapping;
  const dealii::QGauss<3> quadrature(3);
  dealii::FEValues<3> values(element_, quadrature, dealii::update_values | dealii::update_JxW_values);
  const auto& support_points = element_.get_unit_support_points();
  std::vector<int> node_at_dof(dofs_.n_dofs(), -1);
  for (const auto& cell : dofs_.active_cell_iterators()) {
    cell->get_dof_indices(indices);
    values.reinit(cell);
    for (unsigned i = 0; i < indices.size(); ++i) {
      if (element_.system_to_component_index(i).first != 0) continue;
      const unsigned shape = element_.system_to_component_index(i).second;
      int& node = node_at_dof[indices[i]];
      if (node < 0) {
        node = static_cast<int>(nodes_.size());
        nodes_.push_back({mapping.transform_unit_to_real_cell(cell, support_points[i]), {}, 0.0});
        for (unsigned c = 0; c < 3; ++c)
          nodes_.back().dof[c] = indices[element_.component_to_system_index(c, shape)];
      }
      for (const unsigned q : values.quadrature_point_indices())
        nodes_[static_cast<std::size_t>(node)].volume += values.shape_value(i, q) * values.JxW(q);
    }
  }
  supports_at_.resize(dofs_.n_dofs());
  reactions_.resize(supports.size());
  for (std::size_t s = 0; s < supports.size(); ++s) {
    for (auto* row : {&reactions_[s].stiffness, &reactions_[s].mass}) row->reinit(dofs_.n_dofs());
    for (const Node& node : nodes_) {
      if (!supports[s].holds(node.place)) continue;
      const auto dof = node.dof[static_cast<std::size_t>(supports[s].component)];
      constraints_.add_line(dof);
      supports_at_[dof].push_back(s);
    }
  }
  constraints_.close();
}

void ElasticSolid::assemble() {
  dealii::IndexSet relevant;
  dealii::DoFTools::extract_locally_relevant_dofs(dofs_, relevant);
  dealii::DynamicSparsityPattern pattern(relevant);
  dealii::DoFTools::make_sparsity_pattern(dofs_, pattern, constraints_, true,
                                          dealii::Utilities::MPI::this_mpi_process(comm_));
  dealii::SparsityTools::distribute_sparsity_pattern(pattern, owned_, comm_, relevant);
  for (auto* matrix : {&stiffness_, &mass_, &effective_}) matrix->reinit(owned_, owned_, pattern, comm_);
  for (auto* vector : {&u_, &v_, &a_, &end_}) vector->reinit(owned_, comm_);

  const dealii::QGauss<3> quadrature(3);
  dealii::FEValues<3> values(element_, quadrature,
                             dealii::update_values | dealii::update_gradients | dealii::update_JxW_values);
  const unsigned n = element_.n_dofs_per_cell();
  dealii::FullMatrix<double> stiffness(n, n), mass(n, n);
  std::vector<dealii::types::global_dof_index> indices(n);
  const double mu = lame_shear(material_), lambda = lame_first(material_);
  const dealii::FEValuesExtractors::Vector displacement(0);
  for (const auto& cell : dofs_.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    values.reinit(cell);
    stiffness = 0.0;
    mass = 0.0;
    for (const unsigned q : values.quadrature_point_indices())
      for (unsigned i = 0; i < n; ++i) {
        const auto strain = values[displacement].symmetric_gradient(i, q);
        const auto shape = values[displacement].value(i, q);
        for (unsigned j = 0; j < n; ++j) {
          const auto other = values[displacement].symmetric_gradient(j, q);
          stiffness(i, j) +=
              (2.0 * mu * (strain * other) + lambda * trace(strain) * trace(other)) * values.JxW(q);
          mass(i, j) += material_.density * (shape * values[displacement].value(j, q)) * values.JxW(q);
        }
      }
    cell->get_dof_indices(indices);
    for (unsigned i = 0; i < n; ++i)
      for (const std::size_t s : supports_at_[indices[i]])
        for (unsigned j = 0; j < n; ++j) {
          reactions_[s].stiffness[indices[j]] += stiffness(i, j);
          reactions_[s].mass[indices[j]] += mass(i, j);
        }
    constraints_.distribute_local_to_global(stiffness, indices, stiffness_);
    constraints_.distribute_local_to_global(mass, indices, mass_);
  }
  stiffness_.compress(dealii::VectorOperation::add);
  mass_.compress(dealii::VectorOperation::add);
}

void ElasticSolid::find_surface() {
  // A face has 9 nodes: corners 0 to 3, edges 4 (x = 0), 5 (x = 1), 6 (y = 0), 7 (y = 1), middle 8; 8
  // triangles.
  constexpr std::array<std::array<unsigned, 4>, 4> kQuarters = {
      {{0, 6, 4, 8}, {6, 1, 8, 5}, {4, 8, 2, 7}, {8, 5, 7, 3}}};
  std::vector<int> vertex(dofs_.n_dofs(), -1), node_at_dof(dofs_.n_dofs(), -1);
  for (std::size_t k = 0; k < nodes_.size(); ++k) node_at_dof[nodes_[k].dof[0]] = static_cast<int>(k);
  std::vector<dealii::types::global_dof_index> indices(element_.n_dofs_per_face());
  for (const auto& cell : dofs_.active_cell_iterators())
    for (const auto& face : cell->face_iterators()) {
      if (!face->at_boundary() || std::abs(face->center()[2] - top_) > 1e-9 * (1.0 + std::abs(top_)))
        continue;
      face->get_dof_indices(indices);
      std::array<int, 9> corner{};
      for (unsigned i = 0; i < indices.size(); ++i) {
        const auto [component, at] = element_.face_system_to_component_index(i);
        if (component != 0) continue;
        int& number = vertex[indices[i]];
        if (number < 0) {
          number = static_cast<int>(surface_.id.size());
          const Node& node = nodes_[static_cast<std::size_t>(node_at_dof[indices[i]])];
          for (unsigned c = 0; c < 3; ++c) surface_.reference.push_back(node.place[c]);
          surface_.id.push_back(static_cast<std::int64_t>(indices[i]));
          rows_.push_back({{static_cast<unsigned>(node_at_dof[indices[i]]), 1.0}});
        }
        corner[at] = number;
      }
      // x and y of a face on top are those of the block: triangles are anticlockwise seen from above.
      for (const auto& q : kQuarters)
        for (const unsigned k : {q[0], q[1], q[3], q[0], q[3], q[2]}) surface_.triangles.push_back(corner[k]);
    }
}

void ElasticSolid::spread_vertices(double radius) {
  if (radius <= 0.0) return;
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    std::vector<Term>& row = rows_[s];
    const Eigen::Vector3d at(surface_.reference[3 * s], surface_.reference[3 * s + 1],
                             surface_.reference[3 * s + 2]);
    // Quadratic in x and y, so that means of a curved surface have no bias; near edges there may be too few
    // nodes. Elements larger than the radius need a larger one.
    double larger = radius;
    while (!find_means(at, larger, 7, row) && !find_means(at, larger, 4, row)) larger *= 1.25;
  }
}

bool ElasticSolid::find_means(const Eigen::Vector3d& at, double radius, int terms,
                              std::vector<Term>& row) const {
  // Moving least squares: weights that reproduce the functions of the basis (theory 13 section 5).
  Eigen::MatrixXd moments = Eigen::MatrixXd::Zero(terms, terms);
  std::vector<std::pair<unsigned, Eigen::VectorXd>> near;  // node, weighted basis
  for (unsigned k = 0; k < nodes_.size(); ++k) {
    const Node& node = nodes_[k];
    const double x = (node.place[0] - at[0]) / radius, y = (node.place[1] - at[1]) / radius;
    const double square = x * x + y * y;
    if (square >= 1.0) continue;
    // Corner nodes of quadratic elements have negative volumes; the sign has no meaning for a mean.
    const double weight = std::abs(node.volume) * (1.0 - square) * (1.0 - square);
    const Eigen::Matrix<double, 7, 1> all{{1.0, x, y, (node.place[2] - at[2]) / radius, x * x, x * y, y * y}};
    const Eigen::VectorXd basis = all.head(terms);
    moments += weight * basis * basis.transpose();
    near.emplace_back(k, weight * basis);
  }
  if (near.size() < static_cast<std::size_t>(2 * terms)) return false;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(moments);
  solver.setThreshold(1e-6);
  if (solver.rank() < terms) return false;
  const Eigen::VectorXd coefficients = solver.solve(Eigen::VectorXd::Unit(terms, 0));
  row.clear();
  for (const auto& [node, basis] : near) row.push_back({node, coefficients.dot(basis)});
  return true;
}

double ElasticSolid::mass() const {
  return std::accumulate(nodes_.begin(), nodes_.end(), 0.0,
                         [&](double sum, const Node& node) { return sum + material_.density * node.volume; });
}

void ElasticSolid::set_step(double h) {
  if (h == h_ || (static_ && h_ > 0.0)) return;
  h_ = h;
  effective_.copy_from(stiffness_);
  if (!static_) effective_.add(1.0 / (kBeta * h * h), mass_);
  if (solver_ != nullptr) check(KSPDestroy(&solver_));
  const Mat matrix = effective_;
  PC preconditioner = nullptr;
  check(KSPCreate(comm_, &solver_));
  check(MatSetOption(matrix, MAT_SPD, PETSC_TRUE));
  check(KSPSetOperators(solver_, matrix, matrix));
  check(KSPSetType(solver_, KSPPREONLY));
  check(KSPGetPC(solver_, &preconditioner));
  check(PCSetType(preconditioner, PCCHOLESKY));
  check(PCFactorSetMatSolverType(preconditioner, MATSOLVERMUMPS));
  check(KSPSetUp(solver_));
}

Vector<double> ElasticSolid::everywhere(const Vec& owned) const { return Vector<double>(owned); }

void ElasticSolid::average(const Vector<double>& all, std::span<double> surface) const {
  for (std::size_t s = 0; s < rows_.size(); ++s)
    for (unsigned c = 0; c < 3; ++c) {
      double sum = 0.0;
      for (const Term& term : rows_[s]) sum += term.weight * all[nodes_[term.node].dof[c]];
      surface[3 * s + c] = sum;
    }
}

void ElasticSolid::solve(std::span<const double> forces, std::span<double> displacement) {
  Vec load(owned_, comm_);
  for (std::size_t s = 0; s < rows_.size(); ++s)
    for (unsigned c = 0; c < 3; ++c) {
      const double force = forces[3 * s + c];
      if (force == 0.0) continue;
      for (const Term& term : rows_[s]) {
        const auto dof = nodes_[term.node].dof[c];
        if (owned_.is_element(dof) && !constraints_.is_constrained(dof)) load[dof] += term.weight * force;
      }
    }
  load.compress(dealii::VectorOperation::add);
  if (!static_) {
    Vec predicted(u_);
    predicted.add(h_, v_, h_ * h_ * (0.5 - kBeta), a_);
    predicted *= 1.0 / (kBeta * h_ * h_);
    Vec inertia(owned_, comm_);
    mass_.vmult(inertia, predicted);
    load += inertia;
  }
  check(KSPSolve(solver_, load, end_));
  constraints_.distribute(end_);
  average(everywhere(end_), displacement);
}

void ElasticSolid::accept() {
  if (!static_) {
    Vec next(end_);
    next -= u_;
    next.add(-h_, v_, -h_ * h_ * (0.5 - kBeta), a_);
    next *= 1.0 / (kBeta * h_ * h_);
    v_.add(h_ * (1.0 - kGamma), a_, h_ * kGamma, next);
    a_ = next;
  }
  u_ = end_;
}

void ElasticSolid::release() {
  // M a = -K u; constrained rows of the mass matrix have a diagonal entry.
  static_ = false;
  h_ = 0.0;
  v_ = 0.0;
  Vec force(owned_, comm_);
  stiffness_.vmult(force, u_);
  force *= -1.0;
  KSP solver = nullptr;
  PC preconditioner = nullptr;
  const Mat matrix = mass_;
  check(KSPCreate(comm_, &solver));
  check(KSPSetOperators(solver, matrix, matrix));
  check(KSPSetType(solver, KSPCG));
  check(KSPGetPC(solver, &preconditioner));
  check(PCSetType(preconditioner, PCJACOBI));
  check(KSPSetTolerances(solver, 1e-13, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
  check(KSPSolve(solver, force, a_));
  check(KSPDestroy(&solver));
  constraints_.set_zero(a_);
}

ElasticSolid::Momentum ElasticSolid::momentum() const {
  Vec product(owned_, comm_);
  mass_.vmult(product, v_);
  const Vector<double> all = everywhere(product);
  Momentum sum{};
  for (const Node& node : nodes_)
    for (unsigned c = 0; c < 3; ++c) {
      const unsigned d = (c + 1) % 3, e = (c + 2) % 3;
      sum.linear[c] += all[node.dof[c]];
      sum.angular[c] += node.place[d] * all[node.dof[e]] - node.place[e] * all[node.dof[d]];
    }
  return sum;
}

std::vector<double> ElasticSolid::displacement() const {
  std::vector<double> result(3 * rows_.size());
  average(everywhere(u_), result);
  return result;
}

std::vector<double> ElasticSolid::velocity() const {
  std::vector<double> result(3 * rows_.size());
  average(everywhere(v_), result);
  return result;
}

double ElasticSolid::kinetic_energy() const { return 0.5 * mass_.matrix_norm_square(v_); }
double ElasticSolid::strain_energy() const { return 0.5 * stiffness_.matrix_norm_square(u_); }

double ElasticSolid::support_force(std::size_t number) const {
  const Reaction& rows = reactions_.at(number);
  double force = rows.stiffness * everywhere(u_);
  if (!static_) force += rows.mass * everywhere(a_);
  return dealii::Utilities::MPI::sum(force, comm_);
}

double ElasticSolid::section_deflection(double x) const {
  const Vector<double> all = everywhere(u_);
  double sum = 0.0, volume = 0.0;
  for (const Node& node : nodes_) {
    if (std::abs(node.place[0] - x) > 1e-9) continue;
    sum += node.volume * all[node.dof[2]];
    volume += node.volume;
  }
  return sum / volume;
}

void ElasticSolid::write(const std::string& name) const {
  const Vector<double> u = everywhere(u_), v = everywhere(v_);
  const std::vector<dealii::DataComponentInterpretation::DataComponentInterpretation> vector(
      3, dealii::DataComponentInterpretation::component_is_part_of_vector);
  const Stress stress(material_);
  dealii::DataOut<3> output;
  output.attach_dof_handler(dofs_);
  output.add_data_vector(dofs_, u, std::vector<std::string>(3, "displacement"), vector);
  output.add_data_vector(dofs_, v, std::vector<std::string>(3, "velocity"), vector);
  output.add_data_vector(u, stress);
  output.build_patches(2);
  output.write_vtu_in_parallel(name, comm_);
}

}  // namespace scree::structure
