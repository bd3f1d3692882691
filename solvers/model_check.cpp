#include "solvers/model_check.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/parameters/value.hpp"
#include "core/text.hpp"
#include "solvers/analysis.hpp"

namespace scree {
namespace model_check {
namespace {

/// Numbers of the interfaces that hold for a pair of materials.
std::set<int> used_interfaces(const Model& model) {
  std::set<int> used;
  for (const std::vector<int>& row : model.interface_of) {
    for (const int number : row) {
      if (number >= 0 && number < static_cast<int>(model.interfaces.size())) used.insert(number);
    }
  }
  return used;
}

std::string interface_pointer(int number) { return text::join("/interfaces/", std::to_string(number)); }

std::string pointer_of(const Model& model, const BodyDescription& body) {
  return body.where.empty() ? model.body_in_words(&body - model.bodies.data()) : body.where;
}

bool is_dynamic(const Model& model) {
  const AnalysisTraits& traits = traits_of(model.analysis);
  return traits.has_velocities && traits.forces_follow_from_state;
}

bool has_all_bodies(const Model& model) { return !model.block; }

const Shape* shape_of(const Model& model, const BodyDescription& body) {
  if (body.shape < 0 || body.shape >= static_cast<int>(model.shapes.size())) return nullptr;
  const Shape& shape = model.shapes[static_cast<std::size_t>(body.shape)];
  return shape.bounding_radius > 0 ? &shape : nullptr;
}

/// Bonds join spheres.
struct Spheres {
  long count = 0;
  std::set<int> materials;
  const BodyDescription* another = nullptr;  ///< the first body that is not a sphere
};

Spheres spheres_of(const Model& model) {
  Spheres spheres;
  for (const BodyDescription& body : model.bodies) {
    const Shape* shape = shape_of(model, body);
    if (shape == nullptr) continue;
    if (shape->kind == ShapeKind::sphere) {
      ++spheres.count;
      spheres.materials.insert(body.material);
    } else if (spheres.another == nullptr) {
      spheres.another = &body;
    }
  }
  return spheres;
}

/// A bond that breaks leaves a gap of break_force / stiffness to contact: inside of a barrier, contact would
/// begin with energy that nothing put in.
void gap_of_broken_bonds(const Model& model, const std::set<int>& materials, Faults& faults) {
  const double stiffness = model.bonds->stiffness;
  const double gap = model.bonds->break_force / stiffness;
  std::set<int> reported;
  for (const int a : materials) {
    for (const int b : materials) {
      const int number = model.interface_of[a][b];
      if (number < 0) continue;
      const double threshold = model.interfaces[number].threshold();
      if (gap >= threshold || !reported.insert(number).second) continue;
      faults.push_back(
          {"/bonds/break_force",
           text::join("got ", text::number(model.bonds->break_force), " N; bonds of ",
                      text::number(stiffness), " N/m would break at a gap of ", text::number(gap),
                      " m, inside the barrier, which creates energy; expected >= ",
                      text::number(threshold * stiffness), " N = stiffness * threshold (threshold ",
                      text::number(threshold), " m, ", interface_pointer(number), "/normal/threshold).")});
    }
  }
}

}  // namespace

void time(const Model& model, Faults& faults) {
  const TimeDescription& of = model.time;
  if (of.adaptive && of.min > of.max) {
    faults.push_back(
        {"/time/step/min", text::join("got ", text::number(of.min), "; expected at most \"max\", ",
                                      text::number(of.max), " s.")});
  } else if (of.adaptive && (of.step < of.min || of.step > of.max)) {
    faults.push_back({"/time/step/initial",
                      text::join("got ", text::number(of.step), "; expected a step [s] from \"min\", ",
                                 text::number(of.min), ", to \"max\", ", text::number(of.max), ".")});
  }
  // A simulation that its caller steps may have no end.
  if (of.end > 0 && of.step > of.end) {
    faults.push_back({of.adaptive ? "/time/step/initial" : "/time/step",
                      text::join("got ", text::number(of.step), "; expected a step [s] at most \"end\", ",
                                 text::number(of.end), ".")});
  }
}

void stop(const Model& model, Faults& faults) {
  const StopDescription& of = model.time.stop;
  if (!of.wanted) return;
  if (of.after >= model.time.end && model.time.end > 0) {
    faults.push_back({"/time/stop/after",
                      text::join("got ", text::number(of.after), "; expected a time [s] before /time/end, ",
                                 text::number(model.time.end), ".")});
  }
  const bool dead_load = std::any_of(model.loads.begin(), model.loads.end(), [](const elements::Load& any) {
    return dispatch(any, [](const auto& load) { return load.kTraits.dead && !load.is_zero(); });
  });
  if (model.gravity.norm() > 0 || dead_load || (of.unbalanced_force < 0 && of.kinetic_energy >= 0)) return;
  // Forces are then measured against the largest contact force.
  const std::string dead = text::enumeration(
      elements::load_names([](const elements::LoadTraits& load) { return load.dead; }), "or", false);
  const std::string no_load = text::join("/gravity is zero and /loads has no ", dead);
  if (of.unbalanced_force >= 0 && used_interfaces(model).empty()) {
    faults.push_back(
        {"/time/stop/unbalanced_force",
         text::join("the unbalanced force is relative to the largest weight, load or contact force, but ",
                    no_load, ", and no pair of materials has a contact law; use \"kinetic_energy\" [J].")});
  } else if (of.kinetic_energy < 0) {
    faults.push_back(
        {"/time/stop", text::join("requires \"kinetic_energy\" [J]: its default follows from weight and "
                                  "loads, but ",
                                  no_load, ".")});
  }
}

void step_control(const Model& model, Faults& faults) {
  if (!is_dynamic(model) || !model.time.adaptive || model.time.control != StepMode::motion ||
      model.integrator->secant_forces())
    return;
  faults.push_back({"/time/step/control",
                    "got \"motion\"; with this integrator contacts have to be resolved, or they create "
                    "energy: use \"integrator\": {\"type\": \"energy\"}, or \"resolved\"."});
}

void explicit_forces(const Model& model, Faults& faults) {
  const elements::ForceStage stage = model.integrator->stage();
  if (!is_dynamic(model) || (stage != elements::ForceStage::start && stage != elements::ForceStage::given))
    return;
  // Theory 02 section 8: nothing keeps a barrier's gap open at the end of the step.
  const char* key = stage == elements::ForceStage::start ? "/integrator/alpha" : "/integrator/phi";
  for (const int number : used_interfaces(model)) {
    if (model.interfaces[number].traits().overlap) continue;
    faults.push_back(
        {key, text::join("0 evaluates elastic forces at the start of the step (explicit); the barrier law ",
                         interface_pointer(number),
                         "/normal cannot prevent intersections then. Use 0.5, \"hooke\" or \"hertz\".")});
  }
}

void fixed_point(const Model& model, Faults& faults) {
  if (!is_dynamic(model) || model.solver.nonlinear != NonlinearChoice::fixed_point) return;
  const std::string place = "/solver/nonlinear";
  if (model.integrator->sweep_factor(1) < 0) {
    faults.push_back({place,
                      "\"fixed-point\" requires the trapezoidal rule, but /integrator is another one; use "
                      "\"newton\", or \"integrator\": {\"type\": \"trapezoidal\"}."});
  }
  if (!has_all_bodies(model)) return;
  std::set<int> reported;
  for (const BodyDescription& body : model.bodies) {
    const Shape* shape = shape_of(model, body);
    if (shape == nullptr || shape->kind == ShapeKind::sphere || !reported.insert(body.shape).second) continue;
    faults.push_back(
        {place, text::join("\"fixed-point\" supports spheres only, but ", pointer_of(model, body),
                           " has the shape ", pointer_to("/shapes", shape->name), "; use \"newton\".")});
  }
}

void quasi_static(const Model& model, Faults& faults) {
  if (traits_of(model.analysis).has_velocities) return;
  for (const int number : used_interfaces(model)) {
    const contact::FrictionParameters& friction = model.interfaces[number].friction;
    const bool constant = friction.rule == contact::TangentialStiffness::constant;
    if (friction.static_coefficient == 0 || friction.stiffness > 0 || !constant) continue;
    faults.push_back({text::join(interface_pointer(number), "/friction/stiffness"),
                      "got 0; expected a stiffness [N/m] > 0: tangential damping has no effect in a "
                      "quasi-static analysis."});
  }
}

void contact_dynamics(const Model& model, Faults& faults) {
  if (traits_of(model.analysis).forces_follow_from_state) return;
  const contact::FrictionParameters* first = nullptr;
  std::string where;
  for (const int number : used_interfaces(model)) {
    const contact::FrictionParameters& friction = model.interfaces[number].friction;
    if (friction.static_coefficient == 0) continue;
    if (first == nullptr) {
      first = &friction;
      where = text::join(interface_pointer(number), "/friction");
    }
    if (friction.static_coefficient == friction.dynamic_coefficient) continue;
    faults.push_back(
        {text::join(interface_pointer(number), "/friction/static"),
         text::join("got ", text::number(friction.static_coefficient), ", but \"dynamic\" is ",
                    text::number(friction.dynamic_coefficient),
                    "; contact dynamics has one coefficient of friction: use the same value for both, "
                    "or \"static\" alone.")});
  }
  if (first != nullptr && model.solver.method == RigidMethod::two_step) {
    faults.push_back({"/solver/method", text::join("\"two-step\" does not support friction (", where,
                                                   "); use \"one-step\", or remove the friction.")});
  }
}

void laws(const Model& model, Faults& faults) {
  const bool rigid = !traits_of(model.analysis).forces_follow_from_state;
  for (const int number : used_interfaces(model)) {
    const contact::LawTraits& law = model.interfaces[number].traits();
    if (law.rigid == rigid) continue;
    faults.push_back(
        {text::join(interface_pointer(number), "/normal/law"),
         text::join("\"", std::string(law.name),
                    (rigid ? "\" cannot be combined with \"analysis\": \"contact-dynamics\"; use "
                             "\"rigid\"."
                           : "\" is a law of \"analysis\": \"contact-dynamics\"; use another one."))});
  }
}

void bonds(const Model& model, Faults& faults) {
  if (!model.bonds || !has_all_bodies(model)) return;
  const Spheres spheres = spheres_of(model);
  if (spheres.count < 2) {
    const BodyDescription* other = spheres.another;
    faults.push_back(
        {"/bonds",
         text::join("bonds require at least two spheres; the deck has ", spheres.count == 1 ? "one" : "none",
                    other == nullptr
                        ? ""
                        : text::join("; ", pointer_of(model, *other), " has the shape ",
                                     pointer_to("/shapes",
                                                model.shapes[static_cast<std::size_t>(other->shape)].name)),
                    ".")});
    return;
  }
  if (model.bonds->breakable()) gap_of_broken_bonds(model, spheres.materials, faults);
}

}  // namespace model_check

std::vector<Diagnostic> faults_of(const Model& model) {
  std::vector<Diagnostic> faults;
  for (const auto check : {model_check::time, model_check::stop, model_check::step_control,
                           model_check::explicit_forces, model_check::fixed_point, model_check::quasi_static,
                           model_check::contact_dynamics, model_check::laws, model_check::bonds})
    check(model, faults);
  return faults;
}

const Model& checked(const Model& model) {
  std::vector<Diagnostic> faults = faults_of(model);
  if (!faults.empty()) throw InputError(std::move(faults));
  return model;
}

}  // namespace scree
