/// A pair of bodies that are near: its candidate features, its active contacts and its memory.
///
/// Energy of a pair (docs/contact.md): every acting vertex against the surface of the other body, plus
/// convex edge pairs from which the share of their ends is taken out (inclusion and exclusion over the open
/// edges), less the vertex-vertex pairs that were counted from both sides. Every term is an ordinary closed
/// distance, so that the sum is C1 without windows that end at edge ends.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "contact/geometry/closest_points.hpp"
#include "contact/laws/law_value.hpp"
#include "contact/pair/slip_tangent.hpp"
#include "core/body.hpp"
#include "core/shapes/shape.hpp"

namespace scree::contact {

class DeformingSurface;

/// A body as the contact kernel sees it: geometry in the trial configuration.
struct BodyView {
  const Shape* shape = nullptr;
  const BodyTrial* trial = nullptr;
  /// Global positions at the trial state, one per vertex of the shape; null: `vertex` finds each when asked.
  const Vec3* vertices = nullptr;
  /// Whose vertices move within the shape; null: a rigid body. The pose of its trial is then the identity.
  const DeformingSurface* surface = nullptr;

  /// @returns the global position of a vertex [m].
  [[nodiscard]] Vec3 vertex(int k) const {
    return vertices != nullptr ? vertices[k] : to_global(shape->vertices[k]);
  }
  /// @returns a place [m] seen from the frame of the shape, and the other way round.
  [[nodiscard]] Vec3 to_local(const Vec3& p) const { return trial->R.transpose() * (p - trial->x); }
  [[nodiscard]] Vec3 to_global(const Vec3& p) const { return trial->x + trial->R * p; }
};

/// Whether all vertices of a body are placed in advance. Of a large surface that is not convex, contact looks
/// at few of them.
inline bool places_all_vertices(const Shape& shape) {
  constexpr std::size_t kMany = 256;
  return shape.convex || shape.vertices.size() <= kMany;
}

/// Polyhedron with an inside: no open surface.
inline bool is_closed_polyhedron(const Shape& shape) {
  return shape.kind == ShapeKind::polyhedron && !shape.open;
}

/// Whether a body has corners and edges of no radius all around.
inline bool is_sharp(const Shape& shape) { return is_closed_polyhedron(shape) && shape.radius == 0; }

/// Which features of A and B are joined, first letter A: vertex, edge, face. smooth: one is a superquadric.
/// midway: both are, by the midway point of LIGGGHTS, whose gap is no distance.
enum class TermKind : std::uint8_t { vf, fv, ve, ev, vv, ee, smooth, midway };

/// Whether Term::p moves with B.
inline bool moves_with_b(TermKind kind) { return kind == TermKind::fv || kind == TermKind::ev; }

/// Whether a superquadric is touched: contact/superquadric/ knows how such a term moves.
inline bool is_smooth(TermKind kind) { return kind == TermKind::smooth || kind == TermKind::midway; }

/// One gap that enters the energy with a sign.
struct Term {
  TermKind kind = TermKind::vv;
  std::int8_t rank = 2;    ///< smooth: directions in which the normal may turn, 0 on a face, 1 on an edge
  bool takes_off = false;  ///< taken off more often than counted where contacts share a corner
  double sign = 1;
  double distance = 0;     ///< of the features, rounding left out [m]
  double gap = 0;          ///< distance less the radii [m]
  double curvature = 0;    ///< of the surface of equal distance, across the edge (ve, ev) or all around (vv):
                           ///< 1/distance, but negative inside of a bore or cavity [1/m]
  Vec3 n = Vec3::UnitZ();  ///< unit normal from B to A
  Vec3 p = Vec3::Zero();   ///< point on the line of action: moves with A (vf, ve, vv, ee), with B (fv, ev);
                           ///< smooth, midway: on A, where it moves along the surface
  Vec3 e = Vec3::Zero(), f = Vec3::Zero();  ///< unit directions of A's and B's edge, where there is one
  LawValue law;
};

/// Nearest point of a term on A, the rounding left out [m].
inline Vec3 foot_on_a(const Term& term) {
  return moves_with_b(term.kind) ? Vec3(term.p + term.distance * term.n) : term.p;
}
/// The same on B.
inline Vec3 foot_on_b(const Term& term) {
  return moves_with_b(term.kind) ? term.p : Vec3(term.p - term.distance * term.n);
}

enum class ItemKind : std::uint8_t { vertex_of_a, vertex_of_b, edges, smooth };

/// Candidate: a feature pair that may come within the threshold before the list is built again.
struct Item {
  ItemKind kind = ItemKind::edges;
  int a = -1;     ///< feature of A (vertex or edge); for vertex_of_b the first of `closed`, or -1 (convex A)
  int b = -1;     ///< feature of B; for vertex_of_a the first of `closed`, or -1 (convex B); so for smooth
  int count = 0;  ///< closed features of a non-convex surface that follow
  int hint = -1;  ///< face of the convex body that was nearest last
  /// Gap when the list was built, not rounded up [m]; minus infinity: not known. Not of superquadrics.
  float least = -std::numeric_limits<float>::infinity();
};

/// @returns a gap [m] in single precision, not rounded up.
inline float not_above(double gap) {
  constexpr double kRounding = 1e-6;  // more than that of a float
  return static_cast<float>(gap - kRounding * std::abs(gap));
}

/// Where the bodies of a pair are.
struct PairPose {
  Vec3 xa = Vec3::Zero(), xb = Vec3::Zero();          ///< poles [m]
  Mat3 ra = Mat3::Identity(), rb = Mat3::Identity();  ///< orientations
  double way = 0;                                     ///< DeformingSurface::way of B [m]
};

/// How near the items of a long list are at least, without a look at each (FarItems).
struct ItemBounds {
  PairPose at;                ///< last place of the bodies
  double moved = 0;           ///< by how much distances have changed at most since the list was built [m]
  std::vector<float> gaps;    ///< of each item when it was looked at, plus `moved` then; not rounded up [m]
  PairPose start;             ///< secants: place at the start of a step
  std::vector<float> gaps_n;  ///< there, at least [m]; empty: not known
};

/// Closed feature of a non-convex surface near an acting vertex, with its sign in the inclusion-exclusion
/// sum: faces and vertices +1, edges -1 (theory 03 section 4.1).
struct ClosedFeature {
  FeatureKind kind = FeatureKind::face;
  int feature = 0;
};

/// Starting point of a search for the normal of a superquadric, and what it found last.
struct TouchHint {
  Vec3 n = Vec3::Zero();  ///< from the other body to the superquadric; zero: none
  FeatureKind kind = FeatureKind::vertex;
  int feature = -1;
};

/// Where two superquadrics were nearest in the last search, as each of them sees it.
struct Meeting {
  Vec3 n = Vec3::Zero();                        ///< from B to A, global; zero: none
  Vec3 m_a = Vec3::Zero(), m_b = Vec3::Zero();  ///< outward normals, in the frames of the bodies
  SupportValue on_a, on_b;                      ///< there, in the frames of the bodies
};

/// Where searches of a pair with a superquadric begin. Iterates move them on, a rejected step takes them
/// back.
struct SearchStart {
  Vec3 n = Vec3::Zero();  ///< secants: normal of two superquadrics at the start of the step; zero: unknown
  std::vector<TouchHint> hints;
  std::vector<Meeting> meeting;
  bool kept = false;
};

/// History of a contact, kept between steps. Global axes.
struct HistoryEntry {
  /// Steps that do not resolve a contact let its force swing to and fro from step to step: one that turns
  /// round so many times in succession rings, and so may one whose steps before are not known.
  static constexpr int kRings = 2;
  [[nodiscard]] bool rings() const { return alternations >= kRings; }

  std::uint64_t key = 0;
  Vec3 slip = Vec3::Zero();   ///< elastic tangential displacement of A relative to B at the step start [m]
  Vec3 n = Vec3::UnitZ();     ///< frozen normal of this step
  Vec3 arm_a = Vec3::Zero();  ///< frozen contact point from A's pole at the step start [m]
  Vec3 arm_b = Vec3::Zero();
  Vec3 friction_n = Vec3::Zero();  ///< f_t, friction on B, at the last accepted state [N]
  double stiffness_n = 0;          ///< tangential stiffness of `slip` at the last accepted state [N/m]
  Vec3 roll = Vec3::Zero();        ///< elastic rolling of A relative to B at the step start [rad]
  Vec3 rolling_n = Vec3::Zero();   ///< rolling resistance at the last accepted state, as friction_n [N m]
  double normal_n = 0;             ///< normal force that limits springs, in the last accepted step [N]
  double damping_n = 0;            ///< dashpot force at the last accepted state [N]
  double gap_n = 0;                ///< gap there [m]
  double radius = 0;               ///< effective radius of superquadrics while they touch [m]; 0: none
  double approach = 0;             ///< from the step start to the law's reach, of a fresh contact [m]
  Vec3 excess = Vec3::Zero();      ///< secants: force at the end of the last step beyond its mean over it [N]
  int alternations = kRings;       ///< secants: times in succession that it has turned round, at most kRings
  bool sliding = false;            ///< decides between mu_s and mu_d during the whole step
  bool rolling = false;            ///< at the limit of the rolling spring: its dashpot rests during the step
  bool fresh = false;              ///< created in the step under way: removed if the step is rejected
  bool acts = false;               ///< during commit: has an active contact
  int donor = -1;  ///< fresh: index of the entry whose springs `slip` and `roll` are copies of; -1: none
  double family =
      0;  ///< normal force of its contact and of the contacts it is a donor of, last evaluation [N]

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("key", self.key, "");
    archive("slip", self.slip, "m");
    archive("normal", self.n, "");
    archive("arm_a", self.arm_a, "m");
    archive("arm_b", self.arm_b, "m");
    archive("friction", self.friction_n, "N");
    archive("stiffness", self.stiffness_n, "N/m");
    archive("rolling", self.roll, "rad");
    archive("rolling_moment", self.rolling_n, "N m");
    archive("normal_force", self.normal_n, "N");
    archive("damping_force", self.damping_n, "N");
    archive("gap", self.gap_n, "m");
    archive("radius", self.radius, "m");
    archive("approach", self.approach, "m");
    archive("excess", self.excess, "N");
    archive("alternations", self.alternations, "");
    archive("sliding", self.sliding, "");
    archive("is_rolling", self.rolling, "");
    archive("fresh", self.fresh, "");
    archive("acts", self.acts, "");
    archive("donor", self.donor, "");
    archive("family_force", self.family, "N");
  }
};

/// What a pair stores, and how that grows with motion of A: the residual wrench of A by conservative normal
/// forces alone.
struct StoredForce {
  double energy = 0;           ///< [J]
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 moment = Vec3::Zero();  ///< about A's pole [N m]

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("energy", self.energy, "J");
    archive("force", self.force, "N");
    archive("moment", self.moment, "N m");
  }
};

/// History of a pair of bodies.
struct PairMemory {
  BodyId id_a = 0, id_b = 0;
  CellNumber image{};                 ///< of B, as in NearPair
  std::vector<HistoryEntry> entries;  ///< sorted by key
  StoredForce stored;                 ///< at the accepted state

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("id_a", self.id_a, "");
    archive("id_b", self.id_b, "");
    archive("image", self.image, "");
    archive("entries", self.entries, "");
    archive("stored", self.stored, "");
  }
};

/// Part of the step of contact onset in which the dashpot of a contact rises.
inline constexpr double kBeginning = 0.1;

/// Active contact: its first term is the pair itself, the others are the duplicates taken out of it.
struct Active {
  std::uint64_t key = 0;
  int first = 0, terms = 0;
  double window = 1;        ///< m(angle) of an edge pair, otherwise 1
  double window_mu = 0;     ///< dm/dc, c = cosine between the edges
  double window_mu_dc = 0;  ///< d2m/dc2
  double energy = 0;        ///< signed sum of V over the terms, limited by TakenOff; without the window [J]
  /// Of an edge pair that takes off more than it adds (TakenOff): part of its forces that acts, derivative of
  /// that by the signed sum [1/J]; secants: also the part at the end alone.
  double part = 1, part_slope = 0, part_end = 1;
  double pressing = 0;  ///< compression that the limits of friction and rolling see: theory 05 section 1 [N]
  double normal = 0;    ///< elastic compression, >= 0, of a fold the part that counts [N]
  double adhesion = 0;  ///< attraction beside it [N]
  double dashpot = 0;   ///< >= 0 [N s/m]
  double rate = 0;      ///< gap rate of the first term, or along `straight` [m/s]
  double damping = 0;   ///< dashpot force subtracted from the compression, limited to no tension [N]
  double limit = 0;     ///< mu N [N]
  double rolling_limit = 0;                       ///< mu_r R* N [N m]
  Vec3 friction = Vec3::Zero();                   ///< f_t: force on A is -f_t [N]
  Vec3 trial_slip = Vec3::Zero();                 ///< y of theory 05 section 3 [m]
  Vec3 rolling = Vec3::Zero();                    ///< rolling resistance: moment on A is the negative [N m]
  Vec3 trial_roll = Vec3::Zero();                 ///< elastic rolling before its limit [rad]
  double window_n = 1, cosine = 0, cosine_n = 0;  ///< secants: of an edge pair, `_n` at the start of the step
  double widest = 0;       ///< secants: squared sine from which the window of an edge pair is 1; 0: none
  double mean_energy = 0;  ///< secants: mean of `energy` at both ends [J]
  double settled = 0;      ///< secants: what it dissipates as its bodies come to rest [J]
  double impulse = 0;      ///< secants: normal impulse that the impact update takes back [N s]
  double wound = 0;        ///< secants: of what that update takes, what the spring of friction stores [J]
  int corner = -1;  ///< first of the contacts that share a corner with it (shared_corners.hpp); -1: none
  Vec3 straight = Vec3::Zero();  ///< direction of the conservative force of its corner; zero: its own normal
  Vec3 update_force = Vec3::Zero();   ///< secants: on A by the impact update, mean over the step [N]
  Vec3 update_moment = Vec3::Zero();  ///< about A's pole at the end [N m]
  int fold = -1;                      ///< first of the contacts of its fold (shared_folds.hpp); -1: none
  double counts = 1;                  ///< part of its normal force that friction, dashpots and impacts see
  int history = -1;
  double share = 1;        ///< part of the springs of its history entry that it holds: pair_history.hpp
  double first_found = 0;  ///< rigid contact: normal force of the LCP [N]
  bool normal_positive = false;
  bool dashpot_positive = false;
  bool damping_clipped = false;
  bool damping_begins = false;  ///< the dashpot is rising: its rate is beginning_gap / (kBeginning h)
  bool slips = false;
  bool rolls = false;  ///< the rolling spring is at its limit
};

/// What a term is besides, where its force is the mean over a step (contact/secant/).
struct SecantTerm {
  Vec3 dir = Vec3::Zero();         ///< the force on A per newton, not of unit length
  Vec3 point = Vec3::Zero();       ///< on its line of action [m]
  Vec3 correction = Vec3::Zero();  ///< the part of `dir` that is not normal
  Vec3 couple = Vec3::Zero();      ///< moment on A per newton beside that of the force [m]
  double gap_n = 0, gap = 0;  ///< at the start and the end of the step, of what passes at most the reach [m]
  double share = 0.5;         ///< of the normal at the end in `dir`
  double passes = 0;   ///< 0 to 1: the normal has turned so far that it acts where the law does, not halfway
  double follows = 1;  ///< d gap / d Term::gap
  Vec3 n_start = Vec3::Zero();  ///< normal at the start of the step
  bool carried = false;         ///< `point` is the mean place of a point of one body, at `end` at the end
  bool with_b = false;          ///< of B
  Vec3 end = Vec3::Zero();      ///< [m]
  double settles = 0;           ///< force by which bodies come to rest, if the normal stays what it was [N]
  double reach = 0;  ///< sum of the radii that weight the normals; negative in a hollow; 0: none [m]
};

/// Forces at their limits, as the iterations of a step have them.
struct SlipIterates {
  SlipIterate friction, rolling;
};

struct BodyPair : PairConstants {
  int a = 0, b = 0;           ///< local indices; id of a < id of b, or b is a boundary
  BodyId id_a = 0, id_b = 0;  ///< ids, which stay when bodies move between ranks
  CellNumber image{};         ///< of B, as in NearPair
  CellNumber cell{};          ///< of A (BodyState::cell) at the last search: points of `terms` are seen there
  Vec3 shift = Vec3::Zero();  ///< from B to that image, at the accepted state [m]
  int seen_as = -1;           ///< number of the image in TrialGeometry; -1: B is met where it is
  int interface = -1;
  double reach = 0;  ///< every feature pair nearer than this at the last build is in `items` [m]
  bool built = false;
  PairPose built_at;              ///< at the last build
  std::vector<PairPose> also_at;  ///< other place that `items` were built for, after a long step
  double covered = 0;  ///< no feature pair outside `items` is nearer than this at the last evaluation [m]
  int coupling_ab = -1, coupling_ba = -1;  ///< blocks of the tangent, -1 where the row is not ours
  bool coupled = false;                    ///< has its blocks in the pattern (or needs none)
  bool curvature_known = false;  ///< its constants are those of the accepted state, not of the last search
  bool acts = true;              ///< false while its boundary is switched off
  std::vector<Item> items;
  std::vector<ItemBounds> bounds;  ///< of a long list: one
  std::vector<ClosedFeature> closed;
  std::vector<TouchHint> hints;       ///< of a pair with a superquadric: per closed feature, or one
  std::vector<Meeting> meeting;       ///< of two superquadrics: one
  SearchStart search_n;               ///< both at the start of the step under way
  std::vector<HistoryEntry> history;  ///< sorted by key
  std::vector<Term> terms;            ///< of the last evaluation
  std::vector<SecantTerm> secants;    ///< one per term, in steps whose forces are secants
  std::vector<Active> active;         ///< of the last evaluation
  StoredForce stored;                 ///< of the last evaluation
  StoredForce stored_n;               ///< of the accepted state
  double settling = 0;                ///< secants: that of its contacts, beside that of its bodies (Settling)
  bool never_settles = false;         ///< secants: nor do its bodies here, in the step under way
  double measured_at = 0;             ///< travel of PairGaps when `nearest` was measured [m]
  double nearest = 0;  ///< smallest gap over the items at the last evaluation, reach if none [m]
  long solve = 0;      ///< number in ContactForces of the solve that `iterates` are of
  std::vector<SlipIterates> iterates;  ///< of the solve under way, per entry of `history`; empty: none
};

/// @returns what the solve under way keeps of a contact that is in the history; null outside of a solve.
inline const SlipIterates* iterates_of(const BodyPair& pair, const Active& contact) {
  const auto at = static_cast<std::size_t>(contact.history);
  return at < pair.iterates.size() ? &pair.iterates[at] : nullptr;
}

/// Keys tell contacts of a pair apart: item kind (2 bits) and a feature of each body (31 bits).
/// @param a, b from -1 to 2^31 - 2, numbers of features or three times that and the kind (kMostCorners).
inline std::uint64_t make_key(ItemKind kind, int a, int b) {
  return (static_cast<std::uint64_t>(kind) << 62) | (static_cast<std::uint64_t>(std::int64_t{a} + 1) << 31) |
         static_cast<std::uint64_t>(std::int64_t{b} + 1);
}
/// @returns the kind of the item of a key.
inline ItemKind kind_of(std::uint64_t key) { return static_cast<ItemKind>(key >> 62); }
/// @returns the number of A's or B's feature in a key.
inline int feature_of_a(std::uint64_t key) {
  constexpr std::uint64_t kFeature = (std::uint64_t{1} << 31) - 1;
  return static_cast<int>((key >> 31) & kFeature) - 1;
}
inline int feature_of_b(std::uint64_t key) {
  constexpr std::uint64_t kFeature = (std::uint64_t{1} << 31) - 1;
  return static_cast<int>(key & kFeature) - 1;
}

}  // namespace scree::contact
