/// Linear elastic solid with deal.II: a block of hexahedral elements, small strains, static or with Newmark's
/// method.
#pragma once

#include <deal.II/base/point.h>
#include <deal.II/distributed/shared_tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/petsc_sparse_matrix.h>
#include <deal.II/lac/petsc_vector.h>
#include <deal.II/lac/vector.h>
#include <mpi.h>
#include <petscksp.h>

#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace scree::structure {

using Place = dealii::Point<3>;

struct Elastic {
  double young;  ///< [Pa]
  double poisson;
  double density;  ///< [kg/m^3]
};

/// A displacement component that is 0 at all nodes for which `holds` is true.
struct Support {
  std::function<bool(const Place&)> holds;
  int component;
};

/// A block, aligned with the axes.
struct Block {
  Place corner;                                 ///< with the smallest coordinates [m]
  std::array<std::vector<double>, 3> elements;  ///< their lengths along each axis [m]
};

/// The upper surface (largest z), on all ranks.
struct UpperSurface {
  std::vector<double> reference;  ///< 3 per vertex [m]
  std::vector<std::int64_t> id;
  std::vector<int> triangles;  ///< anticlockwise seen from above
};

/// Surface displacements are means of the displacement u of nodes around a vertex: u_s = P u. Forces on the
/// surface act on the solid as P^T f, so that both do the same work. Constant and linear fields are
/// reproduced: P^T f has the resultant and the moment of f. With a radius of 0, P takes the nodes of the
/// surface themselves.
class ElasticSolid {
 public:
  /// @param spread radius of means in the xy plane, over the whole thickness [m]: larger than the contact
  /// area, otherwise indentation is counted twice, by the elements and by the contact law (theory 13 section
  /// 5). It is enlarged where elements are larger. Collective.
  ElasticSolid(MPI_Comm comm, const Elastic& material, const Block& block,
               const std::vector<Support>& supports, double spread);
  ~ElasticSolid();
  ElasticSolid(const ElasticSolid&) = delete;
  ElasticSolid& operator=(const ElasticSolid&) = delete;

  [[nodiscard]] const UpperSurface& surface() const { return surface_; }
  [[nodiscard]] unsigned unknowns() const { return dofs_.n_dofs(); }
  [[nodiscard]] double mass() const;

  /// Leaves inertia out of all steps: equilibria under the forces. Collective.
  void hold() {
    static_ = true;
    h_ = 0.0;
  }
  /// Size of the steps to come [s]. Collective: factorises if it has changed.
  void set_step(double h);
  /// Solves a step from the accepted state. @param forces on surface vertices at its end [N], the same on all
  /// ranks.
  /// @param[out] displacement of surface vertices [m]. Collective.
  void solve(std::span<const double> forces, std::span<double> displacement);
  /// Accepts the last solution.
  void accept();
  /// Begins a motion from the accepted displacement, at rest without loads: accelerations of the stiffness.
  /// Collective.
  void release();
  [[nodiscard]] std::vector<double> displacement() const;  ///< of surface vertices, accepted [m]
  [[nodiscard]] std::vector<double> velocity() const;      ///< [m/s]
  struct Momentum {
    std::array<double, 3> linear,
        angular;  ///< [N s], [N m s] about the origin, in the reference configuration
  };
  [[nodiscard]] Momentum momentum() const;      ///< collective
  [[nodiscard]] double kinetic_energy() const;  ///< [J], collective
  [[nodiscard]] double strain_energy() const;   ///< [J], collective
  /// Force of a support on the solid, accepted: of its nodes in its direction [N]. @param number of the
  /// support, as the constructor got them. Collective.
  [[nodiscard]] double support_force(std::size_t number) const;
  /// Mean vertical displacement of nodes with the given x, weighted by volume: that of a beam's section.
  /// Collective.
  [[nodiscard]] double section_deflection(double x) const;
  /// Writes displacement, velocity and von Mises stress. @param name of the file, ending with .vtu.
  /// Collective.
  void write(const std::string& name) const;

 private:
  using Vec = dealii::PETScWrappers::MPI::Vector;
  struct Term {
    unsigned node;  ///< index into nodes_
    double weight;
  };

  void number(const Block& block, const std::vector<Support>& supports);
  void assemble();
  void find_surface();
  void spread_vertices(double radius);
  /// @returns whether there are enough nodes around a vertex.
  bool find_means(const Eigen::Vector3d& at, double radius, int terms, std::vector<Term>& row) const;
  void average(const dealii::Vector<double>& all, std::span<double> surface) const;
  [[nodiscard]] dealii::Vector<double> everywhere(const Vec& owned) const;

  MPI_Comm comm_;
  Elastic material_;
  double top_ = 0.0;
  dealii::parallel::shared::Triangulation<3> mesh_;
  dealii::FESystem<3> element_;
  dealii::DoFHandler<3> dofs_;
  dealii::AffineConstraints<double> constraints_;
  /// Sums of the rows of the supported nodes in stiffness and mass, parts of this rank's elements.
  struct Reaction {
    dealii::Vector<double> stiffness, mass;
  };
  std::vector<std::vector<std::size_t>> supports_at_;  ///< per unknown
  std::vector<Reaction> reactions_;                    ///< per support
  dealii::IndexSet owned_;
  dealii::PETScWrappers::MPI::SparseMatrix stiffness_, mass_, effective_;
  KSP solver_ = nullptr;
  double h_ = 0.0;  ///< 0: no step size yet
  bool static_ = false;
  Vec u_, v_, a_, end_;
  struct Node {
    Place place;
    std::array<dealii::types::global_dof_index, 3> dof;
    double volume;  ///< part of the solid [m^3]
  };
  std::vector<Node> nodes_;
  UpperSurface surface_;
  std::vector<std::vector<Term>> rows_;  ///< of P, per surface vertex
};

/// Lengths of `count` equal elements of a length [m].
std::vector<double> equal_elements(double length, int count);
/// Lengths of elements that grow from the middle to both ends: `fine` equal ones of size `size` [m] in the
/// middle, then growing by `ratio`, until `length` is filled.
std::vector<double> graded_elements(double length, double size, int fine, double ratio);

}  // namespace scree::structure
