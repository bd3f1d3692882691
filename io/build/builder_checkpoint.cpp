#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "contact/boundary_ids.hpp"
#include "core/text.hpp"
#include "io/build/builder_saved_bodies.hpp"
#include "io/checkpoint/saved_run.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/output/number_format.hpp"
#include "solvers/analysis.hpp"
#include "solvers/world/state.hpp"

namespace scree::builder {
namespace {

/// @returns whether the run of a deck made bonds at its start.
bool makes_bonds(const std::string& deck) {
  const nlohmann::json json = nlohmann::json::parse(deck, nullptr, false, true);
  return json.is_object() && json.contains("bonds");
}

/// A checkpoint on its way into the model of another deck.
class SavedBodies {
 public:
  SavedBodies(Build& build, const Value& file, const checkpoint::SavedRun& run, checkpoint::StateNames names)
      : build_(build),
        file_(file),
        state_(run.bodies),
        names_(std::move(names)),
        time_(run.head.time),
        bonded_(makes_bonds(run.head.deck)) {}

  void add() {
    for (std::size_t i = 0; i < state_.properties.size(); ++i)
      add_body(state_.properties[i], state_.bodies[i]);
    add_memory();
    build_.diagnostics.note(
        file_.where(), fmt::format("{} of \"{}\" at t = {} s, {} with contact history{}",
                                   counted(std::ssize(state_.properties), "body", "bodies"), file_.string(),
                                   text::number(time_), counted(contacts_, "pair", "pairs"),
                                   bonds_ > 0 ? ", " + counted(bonds_, "bond", "bonds") : ""));
    for (const auto& [what, number] : lost_)
      build_.diagnostics.note(file_.where(), fmt::format("{}: {} not taken over.", what, number));
  }

 private:
  /// @returns the number in this deck of what the file calls by a name of a list; -1 after an error.
  int find(std::map<int, int>& known, int number, const std::vector<std::string>& names, Subject subject) {
    const auto [it, is_new] = known.emplace(number, -1);
    if (!is_new) return it->second;
    const std::string name =
        number >= 0 && number < std::ssize(names) ? names[static_cast<std::size_t>(number)] : "";
    const auto& valid = build_.deck.at(subject == Subject::shape ? "shapes" : "materials").keys();
    if (subject == Subject::shape) {
      it->second = shape_of_state(build_, name);
    } else {
      it->second = material_of_state(build_, name);
    }
    if (it->second < 0) {
      build_.diagnostics.error(
          file_.where(), fmt::format("bodies of \"{}\" have the {} \"{}\", which is not defined here.{}",
                                     file_.string(), subject == Subject::shape ? "shape" : "material",
                                     text::shortened(name), text::suggestion(name, valid)));
    }
    return it->second;
  }

  void add_body(const BodyProperties& properties, const BodyState& state) {
    BodyDescription body;
    if (const auto name = names_.bodies.find(properties.id); name != names_.bodies.end())
      body.name = name->second;
    body.shape = find(shapes_, properties.shape, names_.shapes, Subject::shape);
    body.material = find(materials_, properties.material, names_.materials, Subject::material);
    body.position = state.x;
    body.orientation = state.q;
    body.velocity = state.v;
    body.angular_velocity = state.w;
    body.mass = properties.mass;
    body.inertia_B = properties.inertia_B;
    body.fixed = properties.fixed;
    body.where = file_.where();
    numbers_[properties.id] = static_cast<BodyId>(build_.model.bodies.size());
    cells_[properties.id] = state.cell;
    if (body.shape >= 0 && build_.shape_good[body.shape] != 0) {
      check_size(body.shape, properties.length);
      if (bonded_ && build_.model.shapes[body.shape].kind == ShapeKind::sphere) ++build_.bonded_spheres;
    }
    build_.model.bodies.push_back(std::move(body));
  }

  void check_size(int shape, double radius) {
    const Shape& here = build_.model.shapes[shape];
    if (std::abs(here.bounding_radius - radius) <= 1e-9 * radius || !other_sizes_.insert(shape).second)
      return;
    build_.diagnostics.error(
        file_.where(),
        fmt::format("the shape \"{}\" has a bounding radius of {} m here, and of {} m in \"{}\".", here.name,
                    text::number(here.bounding_radius), text::number(radius), file_.string()));
  }

  /// @returns the number here of a body or part of a boundary of the file; nothing if it is not there.
  std::optional<BodyId> number_here(BodyId id) const {
    if (id < contact::kFirstBoundaryId) {
      const auto found = numbers_.find(id);
      return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }
    const auto part = static_cast<std::size_t>(id - contact::kFirstBoundaryId);
    if (part >= names_.boundaries.size()) return {};
    const std::string& name = names_.boundaries[part];
    const long before =
        std::count(names_.boundaries.begin(), names_.boundaries.begin() + static_cast<long>(part), name);
    const long all = std::count(names_.boundaries.begin(), names_.boundaries.end(), name);
    std::vector<std::size_t> parts;
    for (std::size_t k = 0; k < build_.model.boundary_parts.size(); ++k)
      if (boundary_label(build_.model, build_.model.boundary_parts[k].boundary) == name) parts.push_back(k);
    if (std::ssize(parts) != all) return {};
    return contact::kFirstBoundaryId + static_cast<BodyId>(parts[static_cast<std::size_t>(before)]);
  }

  /// @returns the image of B that A meets, where no body was brought back into the cell yet. Both are here.
  CellNumber image_here(const CellNumber& image, BodyId a, BodyId b) const {
    if (b >= contact::kFirstBoundaryId) return {};
    return image + cells_.at(b) - cells_.at(a);
  }

  std::string partner(BodyId id) const {
    const auto part = static_cast<std::size_t>(id - contact::kFirstBoundaryId);
    return id >= contact::kFirstBoundaryId && part < names_.boundaries.size()
               ? fmt::format("contacts with boundary \"{}\", which is not the same here",
                             names_.boundaries[part])
               : "contacts of bodies that have left";
  }

  void add_memory() {
    auto memory = std::make_shared<PairMemories>();
    if (build_.model.memory) *memory = *build_.model.memory;
    for (contact::PairMemory pair : state_.memory.contacts) {
      const std::optional<BodyId> a = number_here(pair.id_a), b = number_here(pair.id_b);
      if (!a || !b) {
        ++lost_[partner(a ? pair.id_b : pair.id_a)];
        continue;
      }
      pair.image = image_here(pair.image, pair.id_a, pair.id_b);
      pair.id_a = *a;
      pair.id_b = *b;
      memory->contacts.push_back(std::move(pair));
      ++contacts_;
    }
    const bool bonds = build_.deck.has("bonds");
    memory->bonded = memory->bonded || (bonds && bonded_);
    for (contact::BondMemory bond : state_.memory.bonds) {
      const std::optional<BodyId> a = number_here(bond.id_a), b = number_here(bond.id_b);
      if (!bonds || !a || !b) {
        ++lost_["bonds, because this deck has no \"bonds\""];
        continue;
      }
      bond.image = image_here(bond.image, bond.id_a, bond.id_b);
      bond.id_a = *a;
      bond.id_b = *b;
      memory->bonds.push_back(bond);
      ++bonds_;
    }
    bool moving = false;
    for (const BodyState& body : state_.bodies)
      moving = moving || body.v.squaredNorm() > 0 || body.w.squaredNorm() > 0;
    const Value& analysis = build_.deck.at("analysis");
    if (moving && is_complete(analysis) && analysis.string() == scope::kQuasiStatic)
      lost_["velocities, because the analysis has none"] = std::ssize(state_.bodies);
    build_.model.memory = std::move(memory);
  }

  Build& build_;
  const Value& file_;
  const BodiesState& state_;
  checkpoint::StateNames names_;
  double time_;
  bool bonded_;
  std::map<int, int> shapes_, materials_;  ///< number in the file -> number here
  std::map<BodyId, BodyId> numbers_;       ///< the same of bodies
  std::map<BodyId, CellNumber> cells_;     ///< by number in the file: BodyState::cell there
  std::set<int> other_sizes_;
  std::map<std::string, long> lost_;
  long contacts_ = 0, bonds_ = 0;
};

}  // namespace

void add_bodies_of_checkpoint(Build& build, const Value& values) {
  const Value& file = values.at("checkpoint");
  try {
    const checkpoint::SavedRun run = checkpoint::read(path_to_read(build, file.string()), 0, 1);
    SavedBodies(build, file, run, checkpoint::names_of(run)).add();
  } catch (const checkpoint::UnreadableFile& error) {
    build.diagnostics.error(file.where(), error.what());
  }
}

}  // namespace scree::builder
