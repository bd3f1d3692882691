#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

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

/// Relative, of lengths and moments of inertia: another deck may give the shape in other numbers or units.
constexpr double kSameShape = 1e-9;

/// The deck of a checkpoint may have bodies of an earlier one, and so on.
constexpr int kEarlierDecks = 8;

/// @param file of the deck, from whose folder its paths start. @returns whether a deck, or one of those from
/// which it took bodies, may have given bodies of a shape an inertia of their own.
bool may_give_inertia(const std::string& deck, const std::filesystem::path& file, const std::string& shape,
                      int earlier = kEarlierDecks) {
  const nlohmann::json json = nlohmann::json::parse(deck, nullptr, false, true);
  if (!json.is_object()) return true;
  const auto bodies = json.find("bodies");
  if (bodies == json.end()) return false;
  for (const nlohmann::json& entry : *bodies) {
    if (!entry.is_object()) return true;
    const auto named = entry.find("shape");
    const bool one_shape = !entry.contains("count") && !entry.contains("file");
    if (entry.contains("inertia") && (!one_shape || (named != entry.end() && *named == shape))) return true;
    const auto checkpoint = entry.find("checkpoint");
    if (checkpoint == entry.end()) continue;
    if (!checkpoint->is_string() || earlier == 0) return true;
    try {
      const checkpoint::Head head =
          checkpoint::read_head(file.parent_path() / checkpoint->get<std::string>());
      if (may_give_inertia(head.deck, head.deck_path, shape, earlier - 1)) return true;
    } catch (const checkpoint::UnreadableFile&) {
      return true;
    }
  }
  return false;
}

/// @returns what of two symmetric tensors to show: their diagonals, or what is beside these if it alone
/// differs.
std::pair<Vec3, Vec3> shown(const Mat3& a, const Mat3& b) {
  if ((a - b).diagonal().norm() > kSameShape * b.norm()) return {a.diagonal(), b.diagonal()};
  return {Vec3(a(1, 0), a(2, 0), a(2, 1)), Vec3(b(1, 0), b(2, 0), b(2, 1))};
}

/// @returns components with the digits that kSameShape compares.
std::string in_brackets(const Vec3& v) {
  return fmt::format("[{:.10g}, {:.10g}, {:.10g}]", v.x(), v.y(), v.z());
}

/// A checkpoint on its way into the model of another deck.
class SavedBodies {
 public:
  SavedBodies(Build& build, const Value& file, const checkpoint::SavedRun& run, checkpoint::StateNames names)
      : build_(build),
        file_(file),
        state_(run.bodies),
        names_(std::move(names)),
        head_(run.head),
        bonded_(makes_bonds(run.head.deck)) {}

  void add() {
    for (std::size_t i = 0; i < state_.properties.size(); ++i)
      add_body(state_.properties[i], state_.bodies[i]);
    add_memory();
    build_.diagnostics.note(
        file_.where(), fmt::format("{} of \"{}\" at t = {} s, {} with contact history{}",
                                   counted(std::ssize(state_.properties), "body", "bodies"), file_.string(),
                                   text::number(head_.time), counted(contacts_, "pair", "pairs"),
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
      check_shape(body.shape, properties);
      if (bonded_ && build_.model.shapes[body.shape].kind == ShapeKind::sphere) ++build_.bonded_spheres;
    }
    build_.model.bodies.push_back(std::move(body));
  }

  /// Bodies keep their masses and moments of inertia, for which another density is no reason.
  void check_shape(int shape, const BodyProperties& body) {
    const Shape& here = build_.model.shapes[shape];
    if (std::abs(here.bounding_radius - body.length) > kSameShape * body.length) {
      refuse_shape(shape, fmt::format("a bounding radius of {} m here, and of {} m",
                                      text::number(here.bounding_radius), text::number(body.length)));
      return;
    }
    const Mat3 own = here.inertia_per_density / here.volume, saved = body.inertia_B / body.mass;
    if ((own - saved).norm() <= kSameShape * saved.norm() || has_given_inertia(shape)) return;
    const auto [now, before] = shown(own, saved);
    refuse_shape(shape, fmt::format("{} of inertia per mass {} m^2 here, and {} m^2",
                                    now == own.diagonal() ? "moments" : "products (xy, xz, yz)",
                                    in_brackets(now), in_brackets(before)));
  }

  void refuse_shape(int shape, const std::string& what) {
    if (!other_shapes_.insert(shape).second) return;
    build_.diagnostics.error(
        file_.where(), fmt::format("the shape \"{}\" has {} in \"{}\"; expected the shape of the checkpoint.",
                                   build_.model.shapes[shape].name, what, file_.string()));
  }

  /// @returns whether the moments of inertia of bodies of a shape need not be those of the shape; then a
  /// note says so.
  bool has_given_inertia(int shape) {
    const auto [it, is_new] = given_inertia_.emplace(shape, false);
    if (!is_new) return it->second;
    const std::string& name = build_.model.shapes[shape].name;
    it->second = may_give_inertia(head_.deck, head_.deck_path, name);
    if (it->second) {
      build_.diagnostics.note(
          file_.where(),
          fmt::format(
              "bodies of the shape \"{}\" have other moments of inertia than the shape: an earlier deck "
              "gave them, or cannot be read. They are kept; of the shape, only the bounding radius was "
              "compared.",
              name));
    }
    return it->second;
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
  const checkpoint::Head& head_;
  bool bonded_;
  std::map<int, int> shapes_, materials_;  ///< number in the file -> number here
  std::map<BodyId, BodyId> numbers_;       ///< the same of bodies
  std::map<BodyId, CellNumber> cells_;     ///< by number in the file: BodyState::cell there
  std::set<int> other_shapes_;
  std::map<int, bool> given_inertia_;  ///< by number here
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
