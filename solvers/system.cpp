#include "solvers/system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "contact/round_off.hpp"
#include "core/error.hpp"
#include "core/rotation.hpp"
#include "elements/integrators/end_of_step.hpp"
#include "elements/integrators/proximal.hpp"
#include "elements/rigid_body.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The force scale of tolerances follows the contact forces from this part of the largest on: 1e-6 of an
/// impact where 1e-4 of the weight is asked for (theory 09 section 5).
constexpr double kForceShare = 1e-2;

/// Without weight and loads, forces are measured against this part of m v / h.
constexpr double kInertialShare = 1e-6;

/// What double precision leaves of the cancellation between inertia terms, and of gaps (some 1e-16 m of a
/// position, times a stiffness of some forces over a tenth of a millimetre).
constexpr double kInertialRoundOff = 4e-14;
constexpr double kContactRoundOff = 4e-12;

/// A body whose update changes its own forces by less than this part of the tolerance is held.
constexpr double kQuiet = 0.05;

/// Pairs get their blocks when they are nearer than this many scales of the laws beyond the threshold, or
/// than two bodies come in this many steps, whichever is more.
constexpr double kPatternSkin = 2.0;
constexpr double kPatternSteps = 1.5;

/// Whether the unknowns of the body that begin at `at` are others; NaN, where nothing was evaluated yet, is.
bool differs(const std::vector<double>& now, const std::vector<double>& then, int at) {
  return !std::equal(&now[at], &now[at] + kBodyUnknowns, &then[at]);
}

/// Size of m v, or of J w over the body's bounding radius [N s].
double momentum_size(const BodyProperties& properties, const BodyState& state) {
  const Vec3 spin = properties.inertia_B * (state.q.conjugate() * state.w);
  return std::max(properties.mass * state.v.norm(), spin.norm() / properties.length);
}

std::vector<contact::InterfaceLaw> laws_of(const Model& model) {
  std::vector<contact::InterfaceLaw> laws;
  for (const contact::Interface& interface : model.interfaces) laws.emplace_back(interface);
  return laws;
}

std::vector<contact::Elasticity> elasticity_of(const Model& model) {
  std::vector<contact::Elasticity> moduli;
  for (const Material& material : model.materials) moduli.push_back({material.young, material.poisson});
  return moduli;
}

std::vector<Shape> shapes_of(const Model& model) {
  std::vector<Shape> shapes = model.shapes;
  shapes.push_back(make_plane("plane"));
  shapes.insert(shapes.end(), model.walls.begin(), model.walls.end());
  return shapes;
}

std::shared_ptr<const elements::Integrator> integrator_of(const Model& model) {
  if (model.analysis == Analysis::quasi_static) return std::make_shared<elements::Proximal>();
  return model.integrator;
}

}  // namespace

System::System(const Model& model, MPI_Comm comm, std::string options_prefix)
    : model_(&model),
      comm_(comm),
      options_prefix_(std::move(options_prefix)),
      shapes_(shapes_of(model)),
      plane_shape_(static_cast<int>(model.shapes.size())),
      ghosts_(comm),
      contacts_(shapes_, laws_of(model), model.interface_of, elasticity_of(model)),
      pair_forces_(shapes_, model.bonds, model.near_fields),
      loads_(model.gravity, model.loads),
      integrator_(integrator_of(model)) {
  distribute();
}

System::System(const Model& model, const BodiesState& state, double time, MPI_Comm comm,
               std::string options_prefix)
    : model_(&model),
      comm_(comm),
      options_prefix_(std::move(options_prefix)),
      shapes_(shapes_of(model)),
      plane_shape_(static_cast<int>(model.shapes.size())),
      ghosts_(comm),
      contacts_(shapes_, laws_of(model), model.interface_of, elasticity_of(model)),
      pair_forces_(shapes_, model.bonds, model.near_fields),
      loads_(model.gravity, model.loads),
      integrator_(integrator_of(model)) {
  take_state(state, time);
}

std::vector<BodyState> System::release_states() {
  std::vector<BodyState> copy = bodies_.state;
  std::swap(copy, bodies_.state);
  return copy;
}

double System::max_over_ranks(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm_);
  return value;
}

void System::set_accepted(int i) {
  const BodyState& state = bodies_.state[i];
  BodyTrial& trial = bodies_.trial[i];
  trial = BodyTrial{};
  trial.x = state.x;
  trial.R = state.q.toRotationMatrix();
  trial.v = state.v;
  trial.w = state.w;
}

void System::reset_trial() {
  for (int i = 0; i < bodies_.all(); ++i) set_accepted(i);
  forget_evaluation();
}

void System::layout() {
  local_.set_entities(bodies_.owned,
                      std::vector<int>(static_cast<std::size_t>(bodies_.moving()), kBodyUnknowns));
  for (int i = 0; i < bodies_.moving(); ++i) {
    for (int k = 0; k < local_.size[i]; ++k) {
      local_.scale[local_.offset[i] + k] = k < 3 ? 1.0 : 1.0 / bodies_.properties[i].length;
    }
  }
  const auto unknowns = static_cast<std::size_t>(local_.offset.back());
  increment_.assign(unknowns, 0.0);
  forget_evaluation();
  path_.du.assign(static_cast<std::size_t>(bodies_.all()), Vec3::Zero());
  path_.dalpha = path_.du;
  path_.centres.assign(static_cast<std::size_t>(bodies_.boundaries), Vec3::Zero());
  loads_.locate(bodies_);
  layout_changed_ = true;
}

void System::forget_evaluation() {
  evaluated_.assign(increment_.size(), std::numeric_limits<double>::quiet_NaN());
  assembled_.assign(increment_.size(), std::numeric_limits<double>::quiet_NaN());
  moved_.assign(static_cast<std::size_t>(bodies_.all()), 1);
  stale_.clear();
}

void System::pattern(double step_travel) {
  std::vector<LocalSystem::Coupling> couplings;
  const double skin = std::max(kPatternSkin * contacts_.scale(), 2 * kPatternSteps * step_travel);
  contacts_.couplings(bodies_, skin, couplings);
  pair_forces_.couplings(couplings);
  local_.set_couplings(std::move(couplings));
  contacts_.locate_blocks(bodies_, local_);
  pair_forces_.locate_blocks(bodies_, local_);
}

void System::evaluate_forces() {
  local_.clear_residual();
  loads_.residual(bodies_, time_, local_);
  contacts_.residual(bodies_, moved_, local_);
  pair_forces_.residual(
      bodies_, contacts_.frozen() ? contact::Configuration::accepted : contact::Configuration::trial, local_);
}

void System::initialise_accelerations(double time) {
  // Equations of motion at the accepted state: f = m a, m = J dw + w x J w (theory 02 section 2).
  evaluate_accepted(time);
  if (model_->analysis != Analysis::contact_dynamics) take_accelerations(0);
}

void System::evaluate_accepted(double time) {
  time_ = time;
  reset_trial();
  if (model_->analysis == Analysis::contact_dynamics) return;  // no forces without a step
  begin_contacts(time, model_->time.step);
  evaluate_forces();
  contacts_.roll_back();
}

void System::take_accelerations(int first) {
  for (int i = first; i < bodies_.owned; ++i) {
    const Eigen::Map<const Vec6> r(local_.residual_of(i));
    elements::set_accelerations(bodies_.properties[i], -r.head<3>(), -r.tail<3>(), bodies_.state[i]);
  }
  update_ghost_states();
}

LocalSystem& System::load_residual() {
  local_.clear_residual();
  loads_.residual(bodies_, time_, local_);
  pair_forces_.near_field_residual(bodies_, local_);
  return local_;
}

bool System::prepare(double time, double h, double factor) {
  const bool proximal = load_step_.has_value();
  const double end = proximal ? load_step_->to : time + h;
  step_start_ = time;
  h_ = h;
  begin_stage();
  if (proximal) {
    time_ = end;
    h_ = h = tau_;
  }
  // Where a constant acceleration takes a body: in a proximal step (theory 02 section 7) twice as far.
  const double fall = (proximal ? 1.0 : 0.5) * h * h;
  reset_trial();
  double step_travel = 0;
  double step_motion = 0;
  double inertial = 0;
  for (int i = 0; i < bodies_.owned; ++i) {
    const BodyState& state = bodies_.state[i];
    const double travel = (h * state.v + fall * state.a).norm();
    step_travel = std::max(step_travel, travel);
    inertial = std::max(inertial, momentum_size(bodies_.properties[i], state) / h);
    step_motion =
        std::max(step_motion, travel + bodies_.properties[i].length * (h * state.w + fall * state.dw).norm());
  }
  boundary_trial(time, time_);
  const double wall_travel = contacts_.motion_in_step(bodies_);  // the bodies are where they were
  reset_trial();
  step_motion = std::max(step_motion, wall_travel);
  step_travel = std::max(step_travel, wall_travel);
  double largest[5] = {step_travel, contacts_.travelled(bodies_),
                       std::max(loads_.scale(bodies_, end), kInertialShare * inertial), inertial,
                       step_motion};
  MPI_Allreduce(MPI_IN_PLACE, largest, 5, MPI_DOUBLE, MPI_MAX, comm_);
  inertial_force_ = largest[3];
  step_travel = 1.5 * factor * largest[0];
  const double travelled = largest[1];
  base_force_ = largest[2];
  bool changed = false;
  // Lists that a repeat made wide would be walked through for as long as they last.
  if (factor > 1 || cover_widened_ || travelled + step_travel > contacts_.covered_travel()) {
    cover_widened_ = factor > 1;
    renew_lists(travel_for(factor * largest[0]), step_travel);
    changed = true;
  } else if ((layout_changed_ && !pair_forces_.empty()) ||
             max_over_ranks(contacts_.coupling_needed(step_travel) ? 1.0 : 0.0) > 0) {
    pattern(step_travel);
    changed = true;
  }
  contacts_.wake(bodies_, 2 * factor * largest[4] + 0.1 * contacts_.scale());
  if (layout_changed_) {
    changed = true;
    layout_changed_ = false;
  }
  if (integrator_->stage() == elements::ForceStage::start) keep_conservative_forces();
  return changed && assembler_.set_pattern(*dofs_, local_);
}

System::Obstacle System::predict(Vec y) {
  path_too_long_ = false;
  for (int i = 0; i < bodies_.moving(); ++i) {
    Vec3& u = path_.du[i];
    Vec3& alpha = path_.dalpha[i];
    integrator_->predict(bodies_.state[i], h_, u, alpha);
    for (int k = 0; k < 3; ++k) {
      if (bodies_.properties[i].fixed[k]) u[k] = 0;
      if (bodies_.properties[i].fixed[k + 3]) alpha[k] = 0;
    }
  }
  // Bodies and boundaries go together from the accepted state to that where the forces are.
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) set_accepted(w);
  Obstacle found = path_of_boundaries(step_start_, time_);
  double t = 1;
  if (moves_to_stage() && !found.any()) {
    t = clear_part(contact::Contacts::Pairs::all).t;
    if (t < 1) {
      // Bodies begin where they are not yet in each other's way, but boundaries go all the way.
      t *= 0.9;
      for (int i = 0; i < bodies_.moving(); ++i) {
        path_.du[i] *= t;
        path_.dalpha[i] *= t;
      }
      found = obstacle(clear_part(contact::Contacts::Pairs::of_moving_boundaries));
    }
  }
  boundary_trial(step_start_, time_);
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) path_.du[w] = path_.dalpha[w] = Vec3::Zero();
  const petsc::VecValues values(y);
  for (int i = 0; i < bodies_.owned; ++i) {
    for (int k = 0; k < kBodyUnknowns; ++k) {
      const double d = k < 3 ? path_.du[i][k] : path_.dalpha[i][k - 3];
      values.data()[local_.offset[i] + k] = d / local_.scale[local_.offset[i] + k];
    }
  }
  return found;
}

void System::evaluate_local() {
  for (int i = 0; i < bodies_.moving(); ++i) {
    const int at = local_.offset[i];
    moved_[i] = differs(increment_, evaluated_, at) ? 1 : 0;
    if (moved_[i] == 0) continue;
    BodyTrial& trial = bodies_.trial[i];
    trial.u = Eigen::Map<const Vec3>(&increment_[local_.offset[i]]);
    trial.alpha = Eigen::Map<const Vec3>(&increment_[local_.offset[i] + 3]);
    Vec3 u = trial.u;
    Vec3 alpha = trial.alpha;
    integrator_->full_increment(u, alpha);
    if (!(trial.alpha.squaredNorm() < 4 && alpha.squaredNorm() < 4))
      throw RecoverableError("a body turned by more than a quarter turn");
    integrator_->kinematics(bodies_.state[i], h_, trial);
  }
  evaluate_stage_forces();
  integrator_->residual(bodies_, h_, local_);
  spin_residual_ = local_.residual;
  elements::residual_to_increments(bodies_, local_);
  // Walls move between steps and stages, where contacts evaluate all pairs anyway.
  std::fill(moved_.begin() + bodies_.moving(), moved_.end(), char{0});
}

void System::residual(Vec y, Vec r) {
  static const petsc::LogEvent event("ScreeResidual");
  const petsc::LogScope scope(event);
  dofs_->to_local(y, local_.scale, increment_);
  // Other ranks wait in the reductions below: a trial state that fails here has to get there first.
  std::string failure;
  try {
    evaluate_local();
    assembler_.assemble_residual(local_, r);
  } catch (const RecoverableError& error) {
    failure = error.what();
  }
  evaluated_ = increment_;

  double sums[1] = {0};
  const double pair_force = std::max(contacts_.largest_force(), pair_forces_.largest_force());
  double largest[3] = {0, pair_force, failure.empty() ? 0.0 : 1.0};
  for (int i = 0; i < bodies_.owned; ++i) {
    double sum = 0;
    for (const double force : scaled_residual(i)) sum += force * force;
    largest[0] = std::max(largest[0], largest_force_on(i));
    sums[0] += sum / bodies_.properties[i].mass;
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 1, MPI_DOUBLE, MPI_SUM, comm_);
  MPI_Allreduce(MPI_IN_PLACE, largest, 3, MPI_DOUBLE, MPI_MAX, comm_);
  if (largest[2] > 0) {
    evaluated_.assign(evaluated_.size(), std::numeric_limits<double>::quiet_NaN());
    throw RecoverableError(failure.empty() ? "a trial state failed on another rank" : failure);
  }
  norms_.merit = std::sqrt(sums[0]);
  norms_.largest = largest[0];
  norms_.force_scale = std::max(base_force_, kForceShare * largest[1]);
  norms_.round_off = kInertialRoundOff * inertial_force_ + kContactRoundOff * largest[1];
  if (!std::isfinite(norms_.merit)) throw RecoverableError("the residual is not a number");
}

void System::tangent(Vec y, double tolerance) {
  static const petsc::LogEvent event("ScreeTangent");
  const petsc::LogScope scope(event);
  dofs_->to_local(y, local_.scale, increment_);
  if (increment_ != evaluated_) {
    const petsc::VecHandle scratch = dofs_->create_vector();
    residual(y, scratch);
  }
  choose_rows(tolerance);
  local_.clear_tangent();
  inertia_and_forces_tangent();
  assembler_.assemble_tangent(local_, [this](int first, int last) {
    elements::tangent_to_increments(bodies_, spin_residual_, first, last, local_);
  });
}

void System::choose_rows(double tolerance) {
  // A row depends on its own body, on those that it is in contact with, and on those that act on it
  // otherwise.
  moved_since_tangent_.resize(static_cast<std::size_t>(bodies_.moving()));
  for (int i = 0; i < bodies_.moving(); ++i)
    moved_since_tangent_[i] = differs(increment_, assembled_, local_.offset[i]) ? 1 : 0;
  // The first tangent of a step is whole. Forces at the step start are halved in place, all rows at once
  // (inertia_and_forces_tangent).
  const bool whole = stale_.empty() || integrator_->stage() == elements::ForceStage::start;
  stale_.resize(static_cast<std::size_t>(bodies_.owned));
  // Where bodies are in balance, rows stay: Newton's residual after an update d is K' d^2 / 2, and what an
  // old row makes of the next update s is K' d s, twice this or less, as updates do not grow.
  std::vector<char>& chosen = local_.assembling;
  for (int i = 0; i < bodies_.owned; ++i) {
    if (whole || moved_since_tangent_[i] != 0) stale_[i] = 1;
    chosen[i] = whole || largest_force_on(i) >= tolerance ? 1 : 0;
  }
  contacts_.mark_rows(bodies_, moved_since_tangent_, stale_, chosen);
  pair_forces_.mark_rows(bodies_, moved_since_tangent_, stale_);
  for (int i = 0; i < bodies_.owned; ++i) {
    if (stale_[i] == 0) chosen[i] = 0;
    if (chosen[i] != 0) stale_[i] = 0;
  }
  assembled_ = increment_;
}

double System::residual_floor() const {
  double largest = 0;
  for (const double error : contact::force_round_off(contacts_, pair_forces_, bodies_))
    largest = std::max(largest, error);
  // Inertia and loads add up to the forces, and round as they do.
  constexpr double kOfLoads = 8 * std::numeric_limits<double>::epsilon();
  return max_over_ranks(largest) + kInertialRoundOff * inertial_force_ + kOfLoads * base_force_;
}

Vec6 System::scaled_residual(int i) const {
  const int at = local_.offset[i];
  return Eigen::Map<const Vec6>(&local_.scale[at]).cwiseProduct(Eigen::Map<const Vec6>(&local_.residual[at]));
}

double System::largest_force_on(int i) const { return scaled_residual(i).cwiseAbs().maxCoeff(); }

void System::hold_quiet(Vec p, double tolerance) const {
  const petsc::VecValues values(p);
  for (int i = 0; i < bodies_.owned; ++i) {
    const int at = local_.offset[i];
    Eigen::Map<Vec6> update(values.data() + at);
    const double change = local_.stiffness[i] * update.cwiseAbs().maxCoeff();  // at most
    if (change <= kQuiet * tolerance && largest_force_on(i) <= tolerance) update.setZero();
  }
}

double System::clip(Vec p) {
  static const petsc::LogEvent event("ScreeClip");
  const petsc::LogScope scope(event);
  dofs_->to_local(p, local_.scale, increment_);
  double turn = 0;
  for (int i = 0; i < bodies_.moving(); ++i) {
    path_.du[i] = -Eigen::Map<const Vec3>(&increment_[local_.offset[i]]);
    path_.dalpha[i] = -Eigen::Map<const Vec3>(&increment_[local_.offset[i] + 3]);
    turn = std::max(turn, path_.dalpha[i].norm());
  }
  double t = 1;
  if (moves_to_stage()) {
    const contact::ClearPart clear = contacts_.clip(bodies_, path_);
    t = clear.t;
    if (clear.short_of_end) path_too_long_ = true;
  }
  if (turn * t > 0.5) t = 0.5 / turn;
  MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_MIN, comm_);
  return t;
}

bool System::left_cover() const {
  // Without a tangent nobody needs blocks.
  const bool uncoupled = integrator_->stage() != elements::ForceStage::given && contacts_.coupling_missing();
  const bool left = uncoupled || contacts_.travelled(bodies_) > contacts_.covered_travel();
  return max_over_ranks(left ? 1.0 : 0.0) > 0;
}

contact::StepLimits System::limits(double eta, double longest) {
  contact::StepLimits limits = contacts_.limits(bodies_, eta, longest, !moves_to_stage());
  limits.oscillation =
      std::min(limits.oscillation, pair_forces_.oscillation_limit(bodies_, eta, !moves_to_stage()));
  return limits;
}

}  // namespace scree
