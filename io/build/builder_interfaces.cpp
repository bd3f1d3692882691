#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <set>

#include "contact/laws/friction_parameters.hpp"
#include "contact/laws/law_parameters.hpp"
#include "contact/laws/rolling_parameters.hpp"
#include "core/infinity.hpp"
#include "core/interrupt.hpp"
#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/build/members.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/output/number_format.hpp"

namespace scree::builder {
namespace {

/// @returns the smallest extent of a polyhedron along its principal axes and those of its mesh [m].
double least_extent(const Shape& shape) {
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(shape.inertia_per_density);
  double least = kInfinity;
  for (const Mat3& axes : {Mat3(Mat3::Identity()), Mat3(principal.eigenvectors())}) {
    Eigen::AlignedBox3d box;
    for (const Vec3& vertex : shape.vertices) box.extend(axes.transpose() * vertex);
    least = std::min(least, box.sizes().minCoeff());
  }
  return least + 2 * shape.radius;
}

/// @returns numbers of the materials that a side of "between" matches.
std::vector<int> matching(Build& build, const Value& side) {
  std::vector<int> all;
  if (side.string() != "*") {
    const int one = find_name(build, side, Subject::material);
    if (one >= 0) all.push_back(one);
    return all;
  }
  for (int m = 0; m < static_cast<int>(build.deck.at("materials").items().size()); ++m) all.push_back(m);
  return all;
}

/// Sets which pairs an interface is for. @returns false after an error.
bool match(Build& build, const Value& between, int number) {
  if (!is_complete(between)) return false;
  const auto first = matching(build, between.items()[0]), second = matching(build, between.items()[1]);
  for (const int a : first) {
    for (const int b : second) build.model.interface_of[a][b] = build.model.interface_of[b][a] = number;
  }
  return !first.empty() && !second.empty();
}

/// Gives every pair an interface where it is not known what one was meant for: no message should report that
/// others are missing.
void match_all(Build& build, int number) {
  for (auto& row : build.model.interface_of) row.assign(row.size(), number);
}

bool by_midway(const Build& build) {
  const Value& solver = build.deck.at("solver");
  return is_complete(solver) && solver.string("superquadric") == "midway";
}

/// "none" of a pair of materials is an interface like others, so that the last match wins; groups: later.
void add_exclusion(Build& build, const Value& values, int number) {
  if (!is_complete(values)) {
    match_all(build, number);
    return;
  }
  if (!values.boolean("none")) {
    build.diagnostics.error(values.at("none").where(),
                            "got false; expected true, or a contact law (\"normal\") instead.");
  }
  const bool materials = values.has("between"), groups = values.has("groups");
  if (materials == groups) {
    build.diagnostics.error(values.where(), materials
                                                ? "\"between\" and \"groups\" cannot be combined; use two "
                                                  "entries."
                                                : "expected \"between\" or \"groups\".");
  }
  if (materials) match(build, values.at("between"), number);
}

void add_interface(Build& build, const Value& values, int number) {
  if (values.has("none")) {
    add_exclusion(build, values, number);
    return;
  }
  if (!match(build, values.at("between"), number)) match_all(build, number);
  contact::Interface& interface = build.model.interfaces[number];
  interface.midway = by_midway(build);
  if (const Value& normal = values.at("normal"); is_complete(normal)) {
    std::vector<Diagnostic> faults;
    find_registered(contact::registered_normal_laws(), normal.string("law"))->make(normal, interface, faults);
    build.diagnostics.add(faults);
  }
  if (const Value* friction = values.find("friction"); friction != nullptr && is_complete(*friction)) {
    std::vector<Diagnostic> faults;
    interface.friction = contact::friction_parameters(*friction, faults, !interface.traits().rigid);
    build.diagnostics.add(faults);
    const bool varies = interface.friction.rule != contact::TangentialStiffness::constant;
    if (const Value& normal = values.at("normal");
        varies && is_complete(normal) && !interface.traits().moduli) {
      build.diagnostics.error(
          friction->at("stiffness").where(),
          fmt::format("\"{}\" requires {}, but {} is \"{}\"; use a number [N/m].",
                      friction->string("stiffness"),
                      contact::laws_in_words([](const contact::LawTraits& law) { return law.moduli; }),
                      normal.at("law").where(), normal.string("law")));
    }
  }
  if (const Value* rolling = values.find("rolling"); rolling != nullptr && is_complete(*rolling))
    interface.rolling = contact::rolling_parameters(*rolling);
}

bool is_good_shape(const Build& build, int shape) {
  return shape < static_cast<int>(build.shape_good.size()) && build.shape_good[shape] != 0;
}

/// Two materials whose bodies or boundaries can meet, and the interface between them.
struct Meeting {
  int a = 0, b = 0, interface = 0;
  bool bodies = false;                  ///< bodies of one can meet bodies of the other
  bool wall_a = false, wall_b = false;  ///< there is a boundary of that material for bodies of the other
};

/// What the laws of an interface ask of shapes and materials. Each complaint is made once.
class LawNeeds {
 public:
  LawNeeds(Build& build, const std::vector<Members>& members) : build_(build), members_(members) {
    for (const auto& [of, made] : build.scaled) base_.emplace(made, of.first);
  }

  /// Reports what is collected over all meetings.
  void finish() {
    for (const auto& [place, thin] : thin_) {
      const auto& [interface, shape] = place;
      const contact::Interface& law = build_.model.interfaces[interface];
      build_.diagnostics.warning(
          fmt::format("/interfaces/{}/normal/{}", interface, law.traits().threshold_key),
          fmt::format("threshold {} m exceeds half of the smallest {} of shape \"{}\", {} m ({}): "
                      "contacts can act through a body; reduce it.",
                      text::number(law.threshold()), is_closed_mesh(shape) ? "extent" : "feature",
                      build_.model.shapes[shape].name, text::number(thin.smallest),
                      counted(thin.bodies, "body", "bodies")));
    }
  }

  void check(const Meeting& meeting) {
    check_interrupt();
    const contact::Interface& interface = build_.model.interfaces[meeting.interface];
    note_use(meeting, interface);
    const std::string where = fmt::format("/interfaces/{}", meeting.interface);
    const contact::LawTraits& law = interface.traits();
    const std::string needs = fmt::format("\"{}\" requires", law.name);
    if (law.moduli) need_modulus(meeting, where, needs);
    const Rounding of_law{where + "/normal/law", needs, text::join("use \"barrier\"", kOrNoContact)};
    if (law.rounding == contact::RoundingNeed::also_at_boundaries) need_rounding(meeting, of_law);
    if (interface.rolling.coefficient > 0)
      need_rounding(meeting, {where + "/rolling", "rolling resistance requires",
                              text::join("remove \"rolling\"", kOrNoContact)});
    if (law.rounding == contact::RoundingNeed::one_of_two) {
      if (meeting.bodies) need_one_rounded(meeting, of_law);
      need_overlap_at_walls(meeting.a, meeting.b, of_law);
      if (meeting.a != meeting.b) need_overlap_at_walls(meeting.b, meeting.a, of_law);
    }
    if (interface.midway && meeting.bodies) need_overlap(meeting, law);
    const std::string key = where + "/normal/" + law.threshold_key;
    const double threshold = interface.threshold();
    need_room(meeting, threshold);
    need_loose_fit(meeting.a, meeting.b, key, threshold);
    if (meeting.a != meeting.b) need_loose_fit(meeting.b, meeting.a, key, threshold);
  }

 private:
  void note_use(const Meeting& meeting, const contact::Interface& interface) {
    UsedParts& used = build_.used;
    used.interfaces.insert(meeting.interface);
    if (interface.traits().moduli) used.moduli.insert({build_.base_of(meeting.a), build_.base_of(meeting.b)});
    const bool a = has_superquadrics(meeting.a), b = has_superquadrics(meeting.b);
    if (a || b) used.curved_interfaces.insert(meeting.interface);
    if (meeting.bodies && a && b) used.two_superquadrics = true;
  }

  bool first(const std::string& where, const std::string& subject) {
    return reported_.insert({where, subject}).second;
  }
  [[nodiscard]] std::string shape_pointer(int shape) const {
    return pointer_to("/shapes", build_.model.shapes[shape].name);
  }

  [[nodiscard]] bool has_superquadrics(int material) const {
    const auto& shapes = members_[material].shapes;
    return std::any_of(shapes.begin(), shapes.end(), [this](const auto& entry) {
      return is_good_shape(build_, entry.first) && is_smooth(build_.model.shapes[entry.first]);
    });
  }

  /// The gap of the midway point is no distance: nothing can keep it positive.
  void need_overlap(const Meeting& meeting, const contact::LawTraits& law) {
    const std::string where = "/solver/superquadric";
    if (law.midway) return;
    if (!has_superquadrics(meeting.a) || !has_superquadrics(meeting.b) || !first(where, "")) return;
    build_.diagnostics.error(
        where,
        fmt::format("\"midway\" requires {}, but superquadrics use another one (/interfaces/{}/normal/law); "
                    "use \"support\".",
                    contact::laws_in_words([](const contact::LawTraits& one) { return one.midway; }),
                    meeting.interface));
  }

  /// Of bodies always, of boundaries where a part of it is given: one without any is rigid.
  void need_modulus(const Meeting& meeting, const std::string& where, const std::string& what) {
    for (const int m : {meeting.a, meeting.b}) {
      const int base = build_.base_of(m);
      const Material& material = build_.model.materials[base];
      const Value& given = build_.deck.at("materials").items()[base];
      const bool rigid = members_[m].bodies.all == 0 && !given.has("young");
      if (rigid || (given.has("young") && given.has("poisson")) || build_.material_good[base] == 0) continue;
      const std::string place = pointer_to("/materials", material.name);
      if (!first(where + "/normal/law", place)) continue;
      build_.diagnostics.error(where + "/normal/law",
                               fmt::format("{} \"{}\" of material \"{}\", {}.", what,
                                           given.has("young") ? "poisson" : "young", material.name, place));
    }
  }

  /// @returns the shape of which this one is another size.
  [[nodiscard]] int base_of(int shape) const {
    const auto base = base_.find(shape);
    return base == base_.end() ? shape : base->second;
  }

  /// Without any rounding; of a shape that could be made.
  [[nodiscard]] bool is_sharp(int shape) const {
    return is_good_shape(build_, shape) && typical_radius(build_.model.shapes[shape]) <= 0;
  }

  /// What requires rounded bodies.
  struct Rounding {
    std::string where, what, remedy;
  };
  /// Ends the remedies: a loading plate between rounded bodies and a floor, for example.
  static constexpr const char* kOrNoContact =
      ", or use \"none\" between separate materials if they do not come into contact";

  /// A radius on one side is enough, but where a body meets a boundary that is flat.
  void need_rounding(const Meeting& meeting, const Rounding& need) {
    if (meeting.bodies) need_one_rounded(meeting, need);
    for (const int m : {meeting.a, meeting.b}) {
      if (!(m == meeting.b && meeting.wall_a) && !(m == meeting.a && meeting.wall_b)) continue;
      for (const auto& [s, count] : sharp_bodies(m)) {
        if (count.free == 0 || !first(need.where, shape_pointer(s))) continue;
        build_.diagnostics.error(
            need.where, fmt::format("{} rounded bodies at boundaries, but shape \"{}\" ({}) has sharp "
                                    "edges; {}.",
                                    need.what, build_.model.shapes[s].name, shape_pointer(s), need.remedy));
      }
    }
  }

  /// Bodies of a material without any rounding, by the shape of the deck: those of all sizes have one entry,
  /// as pairs of sizes may be very many.
  [[nodiscard]] std::map<int, Count> sharp_bodies(int material) const {
    std::map<int, Count> sharp;
    for (const auto& [s, count] : members_[material].shapes) {
      if (!is_sharp(s)) continue;
      Count& all = sharp[base_of(s)];
      all.all += count.all;
      all.free += count.free;
    }
    return sharp;
  }

  /// Two sharp bodies have no overlap distance, and no radius.
  void need_one_rounded(const Meeting& meeting, const Rounding& need) {
    const std::map<int, Count> of_a = sharp_bodies(meeting.a), of_b = sharp_bodies(meeting.b);
    for (const auto& [s, bodies_s] : of_a) {
      check_interrupt();
      for (const auto& [t, bodies_t] : of_b) {
        const bool same = meeting.a == meeting.b && s == t;
        if (!(same ? can_meet(bodies_s) : can_meet(bodies_s, bodies_t))) continue;
        if (!first(need.where, shape_pointer(std::min(s, t)) + shape_pointer(std::max(s, t)))) continue;
        build_.diagnostics.error(
            need.where,
            fmt::format(
                "{} a rounding radius on at least one side, but {} and {}, which can come into contact, "
                "are both sharp-edged; {}.",
                need.what, shape_pointer(s), shape_pointer(t), need.remedy));
      }
    }
  }

  /// The overlap of a sharp body has a distance at planes and at rounded boundaries only (check_overlap()).
  void need_overlap_at_walls(int body, int wall, const Rounding& need) {
    const Model& model = build_.model;
    const std::map<int, Count> sharp = sharp_bodies(body);
    for (const BoundaryPart& part : model.boundary_parts) {
      check_interrupt();
      const BoundaryDescription& boundary = model.boundaries[part.boundary];
      if (part.wall < 0 || boundary.material != wall || model.walls[part.wall].radius > 0) continue;
      for (const auto& [s, count] : sharp) {
        if (count.free == 0 || !first(need.where, shape_pointer(s) + boundary.where)) continue;
        build_.diagnostics.error(
            need.where,
            fmt::format(
                "{} a rounded body, a plane, or a cylinder or sphere with bodies outside, but shape \"{}\" "
                "({}) has sharp edges, and boundary \"{}\" ({}) is not one of these; {}.",
                need.what, model.shapes[s].name, shape_pointer(s), boundary.name, boundary.where,
                need.remedy));
      }
    }
  }

  /// Whether neither type nor keys of a polyhedron say how thick it is. @param base shape of the deck.
  [[nodiscard]] bool is_closed_mesh(int base) const {
    return build_.model.shapes[base].kind == ShapeKind::polyhedron &&
           build_.deck.at("shapes").items()[base].string("type") != "box" &&
           build_.mesh_thickness.count(base) == 0;
  }

  /// @returns the smallest thickness of a body [m]; of a closed mesh a bound from above: its edges say
  /// nothing of it, and it may be thin anywhere.
  [[nodiscard]] double thickness(int number) const {
    const Shape& shape = build_.model.shapes[number];
    if (shape.kind == ShapeKind::capsule) return 2 * shape.radius;
    if (shape.kind != ShapeKind::polyhedron) return shape.smallest_feature;
    const int base = base_of(number);
    if (is_closed_mesh(base)) return least_extent(shape);
    const auto sheet = build_.mesh_thickness.find(base);
    if (sheet == build_.mesh_thickness.end()) return shape.smallest_feature;  // a box
    return sheet->second * shape.bounding_radius / build_.model.shapes[base].bounding_radius;
  }

  /// Bodies that a threshold reaches through, for finish(): those of all sizes count as of one shape.
  void need_room(const Meeting& meeting, double threshold) {
    for (const int m : {meeting.a, meeting.b}) {
      if (!measured_.insert({meeting.interface, m}).second) continue;
      for (const auto& [s, count] : members_[m].shapes) {
        if (!is_good_shape(build_, s)) continue;
        const double least = thickness(s);
        if (threshold <= 0.5 * least) continue;
        Thin& thin = thin_[{meeting.interface, base_of(s)}];
        thin.smallest = std::min(thin.smallest, least);
        thin.bodies += count.all;
      }
    }
  }

  /// What touches a round wall from inside at its middle touches all around: there is no normal.
  void need_loose_fit(int body, int wall, const std::string& where, double threshold) {
    const Model& model = build_.model;
    std::map<int, double> radii;  // by shape of the deck, the largest of all sizes
    for (const auto& [s, count] : members_[body].shapes) {
      if (!is_good_shape(build_, s)) continue;
      double& radius = radii[base_of(s)];
      radius = std::max(radius, model.shapes[s].radius);
    }
    for (const BoundaryPart& part : model.boundary_parts) {
      check_interrupt();
      const BoundaryDescription& boundary = model.boundaries[part.boundary];
      if (part.wall < 0 || boundary.material != wall) continue;
      const double hollow = model.walls[part.wall].hollow_radius;
      if (hollow <= 0) continue;
      for (const auto& [s, radius] : radii) {
        if (hollow > radius + threshold || !first(boundary.where, shape_pointer(s))) continue;
        build_.diagnostics.error(
            boundary.where + "/radius",
            fmt::format(
                "inner radius {} m is too small for shape \"{}\" ({}): expected more than its {}radius, "
                "{} m{}; "
                "in a tighter fit the contact normal is undefined.",
                text::number(hollow), model.shapes[s].name, shape_pointer(s),
                radius == model.shapes[s].radius ? "" : "largest ", text::number(radius),
                threshold > 0 ? fmt::format(" + threshold {} m ({})", text::number(threshold), where) : ""));
      }
    }
  }

  Build& build_;
  const std::vector<Members>& members_;
  std::map<int, int> base_;  ///< shape of another size -> that of the deck
  std::set<std::pair<std::string, std::string>> reported_;
  std::set<std::pair<int, int>> measured_;  ///< interface and material: need_room() has counted the bodies
  /// Bodies of a shape that the threshold of an interface reaches through.
  struct Thin {
    double smallest = kInfinity;  ///< [m]
    long bodies = 0;
  };
  std::map<std::pair<int, int>, Thin> thin_;  ///< by interface and shape of the deck
};

}  // namespace

void add_interfaces(Build& build) {
  const auto& interfaces = build.deck.at("interfaces").items();
  // Bodies that enter are made later, but their materials count.
  for (const Value& inlet : build.deck.at("inlets").items()) {
    if (is_complete(inlet) && inlet.has("group"))
      grouped_material(build, material_of_state(build, inlet.string("material")), inlet.string("group"));
  }
  const std::size_t n = build.deck.at("materials").items().size();
  build.model.interface_of.assign(n, std::vector<int>(n, -1));
  build.model.interfaces.resize(interfaces.size());
  for (int k = 0; k < static_cast<int>(interfaces.size()); ++k) {
    if (interfaces[k].kind() == Value::Kind::object) {
      add_interface(build, interfaces[k], k);
    } else {
      match_all(build, k);
    }
  }
  const auto& chosen = build.model.interface_of;
  const bool good = !build.diagnostics.has_errors();
  for (int k = 0; k < static_cast<int>(interfaces.size()) && good; ++k) {
    const bool holds = std::any_of(chosen.begin(), chosen.end(), [&](const std::vector<int>& row) {
      return std::find(row.begin(), row.end(), k) != row.end();
    });
    if (holds || interfaces[k].has("groups")) continue;
    build.diagnostics.error(interfaces[k].where(),
                            "has no effect: later entries match all of its materials, and the last match "
                            "applies; put general entries before special ones, or remove it.");
  }
  add_groups(build);
}

void check_interfaces(Build& build) {
  const Model& model = build.model;
  const int n = static_cast<int>(model.materials.size());
  const std::vector<Members> members = members_of(build);
  std::map<std::pair<int, int>, Meeting> pairs;
  const auto meeting_of = [&](int a, int b) -> Meeting& {
    const auto [low, high] = std::minmax(a, b);
    return pairs.try_emplace({low, high}, Meeting{low, high, model.interface_of[low][high]}).first->second;
  };
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b) {
      const bool meet = a == b ? can_meet(members[a].bodies) : can_meet(members[a].bodies, members[b].bodies);
      if (meet) meeting_of(a, b).bodies = true;
    }
    for (const auto& boundary : model.boundaries) {
      if (members[a].bodies.free == 0 || boundary.material < 0) continue;
      Meeting& meeting = meeting_of(a, boundary.material);
      (meeting.a == boundary.material ? meeting.wall_a : meeting.wall_b) = true;
    }
  }
  LawNeeds needs(build, members);
  std::set<std::pair<int, int>> missing;
  for (const auto& [pair, meeting] : pairs) {
    if (build.no_contact.contains(pair)) continue;
    const auto [a, b] = std::minmax({build.base_of(pair.first), build.base_of(pair.second)});
    if (meeting.interface >= 0) {
      needs.check(meeting);
      continue;
    }
    if (!missing.insert({a, b}).second) continue;
    build.diagnostics.error(
        "/interfaces",
        fmt::format(
            "no contact law for materials \"{}\" and \"{}\", which can come into contact; add an entry "
            "with these materials, or one with \"*\", in \"between\".",
            model.materials[a].name, model.materials[b].name));
  }
  needs.finish();
}

}  // namespace scree::builder
