/// All contacts of this rank: lists, residual, tangent, memory, and the bounds that keep bodies apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "contact/forces/central_pair.hpp"
#include "contact/geometry/cores.hpp"
#include "contact/laws/interface_law.hpp"
#include "contact/pair/pair.hpp"
#include "contact/pair/pair_commit.hpp"
#include "contact/pair/pair_constants.hpp"
#include "contact/pair/pair_evaluate.hpp"
#include "contact/secant/impact.hpp"
#include "core/body.hpp"
#include "core/local_system.hpp"

namespace scree::contact {

/// Ids of boundary parts begin here, above all bodies.
inline constexpr BodyId kFirstBoundaryId = BodyId{1} << 40;

/// What the accepted state allows the next step to be (theory 09 section 4), and why.
struct StepLimits {
  double closing = 0;      ///< limit 1: distance to the threshold plus eta thresholds [s]
  double oscillation = 0;  ///< limit 2: eta / omega of the contacts that are being moved [s]
};

/// Path of all local bodies, boundaries included, from their trial states: displacement t du and Rodrigues
/// increment alpha + t dalpha for t from 0 to 1.
struct Path {
  std::vector<Vec3> du, dalpha;  ///< per local body [m], [-]
  /// Per boundary: the point that it turns about, at its trial state [m]. That point goes straight, its pole
  /// on an arc. Empty: all turn about their poles.
  std::vector<Vec3> centres;
  /// Per boundary: change of BodyTrial::phase along the path. Empty: none deforms.
  std::vector<double> phases;
};

/// Path on which bodies turn evenly about their poles, and boundaries about their centres.
struct EvenPath {
  std::vector<BodyState> from;  ///< where it begins, per local body
  std::vector<Vec3> du, turn;   ///< per local body: displacement of its pole, rotation vector [m], [rad]
  std::vector<Vec3> centres;    ///< as Path::centres; of a boundary `du` is the displacement of its centre
  std::vector<double> phases;   ///< as Path::phases
};

/// Part of a path that no body goes through another one on.
struct ClearPart {
  double t = 1;       ///< in [0, 1]; 1: the whole path is clear
  int boundary = -1;  ///< of the pair that ends it sooner: number of its boundary part; -1: two bodies
  BodyId body = -1;   ///< the other one of that pair
  bool short_of_end = false;  ///< what lies beyond t was not looked at: too many steps of the bound
};

/// Sums over the contacts that this rank counts (each contact is counted on one rank).
struct ContactTotals {
  double normal_energy = 0, friction_energy = 0;  ///< [J]
  long contacts = 0;
  double min_gap = 0;        ///< +inf without contacts [m]
  double largest_force = 0;  ///< net compression of a point contact [N]

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("normal_energy", self.normal_energy, "J");
    archive("friction_energy", self.friction_energy, "J");
    archive("contacts", self.contacts, "");
    archive("min_gap", self.min_gap, "m");
    archive("largest_force", self.largest_force, "N");
  }
};

class Contacts {
 public:
  /// @param shapes outlive this object; @param interface_of [material][material] -> law, -1: none.
  /// @param materials moduli, for Hertz's law; may be left out where no law needs them.
  Contacts(const std::vector<Shape>& shapes, std::vector<InterfaceLaw> laws,
           std::vector<std::vector<int>> interface_of, std::vector<Elasticity> materials = {});

  /// Boundaries whose vertices move. @param surfaces per boundary part, null for rigid ones; they outlive
  /// this object.
  void set_surfaces(std::vector<const DeformingSurface*> surfaces) { surfaces_ = std::move(surfaces); }
  /// @returns the surface of a boundary that deforms; null for all others.
  [[nodiscard]] const DeformingSurface* surface_of(const Bodies& bodies, int i) const {
    return surfaces_.empty() || !bodies.is_boundary(i)
               ? nullptr
               : surfaces_[static_cast<std::size_t>(i - bodies.moving())];
  }
  /// Adds what the bodies that this rank counts put on the vertices of a deforming boundary, at the state
  /// last evaluated, as virtual work has it [N]. @param part number of the boundary part. @param[in,out]
  /// forces per vertex.
  void add_vertex_forces(const Bodies& bodies, int part, std::vector<Vec3>& forces) const;

  /// Largest gap at which any law acts [m].
  [[nodiscard]] double largest_threshold() const { return threshold_; }
  /// Length that margins of lists and patterns are measured by [m]: the largest scale of a law.
  [[nodiscard]] double scale() const { return scale_; }

  /// Searches for near bodies at the accepted state; keeps memory and candidates of pairs that stay.
  /// @param travel  how far a body may move before the next search is due [m].
  void search(const Bodies& bodies, double travel);
  /// Largest displacement since the search that the list still covers [m].
  [[nodiscard]] double covered_travel() const { return travel_; }
  /// Largest displacement of a body, or of a wall as a body sees it, since the last search, at the trial
  /// state [m].
  [[nodiscard]] double travelled(const Bodies& bodies) const;

  /// Largest motion of a body at the trial state since the accepted one, rotation included, and of a wall as
  /// a body sees it [m].
  [[nodiscard]] double motion_in_step(const Bodies& bodies) const;

  /// Switches boundaries on and off. @param active per boundary part.
  void set_boundaries(const Bodies& bodies, const std::vector<char>& active);
  /// Takes contact away from bonded bodies, and gives it back to those whose bond broke.
  /// @param bonds sorted by ids, with all that live between owned bodies and others.
  void set_bonds(const Bodies& bodies, const std::vector<CentralPair>& bonds);

  /// Couplings that the tangent needs: pairs nearer than `distance` beyond the threshold. Marks them.
  /// @param[out] couplings appended (row, col), owned rows only are meaningful.
  void couplings(const Bodies& bodies, double distance, std::vector<LocalSystem::Coupling>& couplings);
  /// After LocalSystem::set_couplings: finds each pair's blocks.
  void locate_blocks(const Bodies& bodies, const LocalSystem& system);
  /// Whether a pair without blocks is within the threshold (at the last evaluation).
  [[nodiscard]] bool coupling_missing() const { return coupling_missing_; }

  /// Whether a pair without blocks may come within the threshold when bodies move by up to `travel` [m] each.
  [[nodiscard]] bool coupling_needed(double travel) const;
  /// Candidates and gaps of all pairs at the trial state, without forces: after a search or a step that
  /// failed.
  void update_gaps(const Bodies& bodies);

  /// Chooses the pairs that the coming step looks at: those that may come within the threshold when bodies
  /// move by up to `travel` each, rotation included [m]. A step that moves further wakes the others. Gaps
  /// must be current.
  void wake(const Bodies& bodies, double travel);

  /// The forces are those of this step from now on. The state that is committed must have been evaluated
  /// last in a step that is neither frozen nor at rest.
  void begin_step(const StepContext& step);
  /// Whether forces are those of the accepted geometry.
  [[nodiscard]] bool frozen() const { return step_.frozen; }
  /// Contact forces at the trial state, added to the residual in virtual spins. Rebuilds candidate lists
  /// where motion demands it. @param moved per body: its trial state is not that of the last evaluation. A
  /// pair of which no body moved keeps its forces. @throws RecoverableError if a gap has closed.
  void residual(const Bodies& bodies, const std::vector<char>& moved, LocalSystem& system);
  /// Newton's method starts on a step: until `end_solve`, `tangent` is called at accepted iterates only, and
  /// sliding forces enter it by their primal-dual form (slip_tangent.hpp).
  void begin_solve();
  void end_solve() { solving_ = false; }
  /// Tangent at the state of the last `residual`, of the rows that are assembled. Outside of a solve it is
  /// the derivative.
  void tangent(const Bodies& bodies, LocalSystem& system);
  /// Marks the rows whose contact tangent is not that of the last `tangent`: those of moved bodies and of
  /// their partners. @param moved per moving body: since the last tangent. @param[in,out] rows per owned
  /// body; changed: those with a contact that was made or lost since then.
  void mark_rows(const Bodies& bodies, const std::vector<char>& moved, std::vector<char>& rows,
                 std::vector<char>& changed) const;
  /// Accepts the last evaluated state. @returns what this rank's contacts dissipated (counted once) [J].
  StepLosses commit(const Bodies& bodies);
  /// Work of the dashpots, of friction and rolling resistance with their springs, and of rigid boundaries
  /// that move, at the state of the last evaluation, over the whole step. @param share of the step that lies
  /// in the trial displacement.
  /// @returns this rank's contacts (counted once) [J].
  [[nodiscard]] StepLosses dissipative_work(const Bodies& bodies, double share) const;
  /// What the last evaluation found is what contacts stored at the accepted state: to be called when that has
  /// been evaluated other than by a step.
  void keep_stored();
  /// How badly the step resolves contacts, the worst of this rank: what a pair stores at the end less what it
  /// stored at the start and the work of the mean of its conservative forces; and that over the energy at
  /// play in the pair: stored, and kinetic energy of approach (theory 09 section 4).
  /// @param start of all local bodies. @param floor energy that a pair has at least at play, per mass and
  /// bounding radius of A [J/(kg m)].
  struct EnergyError {
    double absolute = 0;  ///< [J]
    double relative = 0;
  };
  [[nodiscard]] EnergyError worst_energy_error(const Bodies& bodies, const std::vector<BodyState>& start,
                                               double floor) const;
  /// Energy in the springs of friction and rolling at the last commit, of this rank's contacts [J].
  [[nodiscard]] double remembered_energy(const Bodies& bodies) const;
  void roll_back();

  /// Largest part of a path along which no gap closes by more than nine tenths, for overlap-based laws no
  /// distance of the skeletons that the rounding is about (theory 03 section 6: cheap filter, then additive
  /// conservative advancement on the candidates of a pair). Starts at the last evaluated trial state.
  /// @param which pairs: those of moving boundaries suffice where the part of a clear path that bodies go is
  /// shortened and that of boundaries is not.
  enum class Pairs : std::uint8_t { all, of_moving_boundaries };
  ClearPart clip(const Bodies& bodies, const Path& path, Pairs which = Pairs::all);
  /// Whether the shape of a boundary as bodies see it changes when it turns about a point.
  /// @param spin axis, of any length. @param about [m], at the accepted state.
  [[nodiscard]] bool changes_by_turning(const Bodies& bodies, int boundary, const Vec3& spin,
                                        const Vec3& about) const;

  /// Limits of the next step from the accepted state; trial state must be the accepted one.
  /// @param longest step that is asked about [s]: what would allow a longer one is not looked at.
  /// @param explicit_forces the integrator takes elastic forces from the accepted state: contacts that are
  /// not being moved limit the step too.
  [[nodiscard]] StepLimits limits(const Bodies& bodies, double eta, double longest,
                                  bool explicit_forces = false);

  /// Limits by motion alone, for integrators that are safe at any stiffness: what closes, slides and turns in
  /// a step, as parts of the size of bodies times `eta`. Otherwise as `limits`.
  [[nodiscard]] StepLimits motion_limits(const Bodies& bodies, double eta, double longest);

  /// How far owned bodies are from flight towards rest, in [0, 1]: 1 for bodies all of whose contacts open
  /// and close more slowly than some `slow` [m/s], and are stiff against the step h [s]; 0 for those that
  /// something comes near to. (theory 11 section 4). @param[out] settling per local body; those of ghosts are
  /// not complete.
  void settle(const Bodies& bodies, double h, double slow, std::vector<double>& settling) const;

  /// First pair that overlaps at the accepted state, or one of which is wholly inside of the other, in a way
  /// that its law has no force for: overlap or touch under a barrier law, overlap deeper than the rounding
  /// under the others. Nothing without one, or if this rank was interrupted.
  struct Overlap {
    int a = 0, b = 0;           ///< local indices
    double depth = 0;           ///< [m]; for overlap-based laws that of the skeletons, without rounding
    bool barrier = true;        ///< the pair's law is a barrier
    bool rigid = false;         ///< the pair's law is that of rigid contact
    bool through_face = false;  ///< of the periodic cell
    /// The law has a force however deep, but A's centre of mass is behind the plane or outside of the hollow.
    bool behind = false;
  };
  /// @param boundaries of these alone if it is not null: whether each part counts.
  std::optional<Overlap> find_overlap(const Bodies& bodies, const std::vector<char>* boundaries = nullptr);

  /// Whether on a path the core of a body (cores.hpp) meets another body or a wall with something behind it.
  /// Bodies that go less than the margin of their cores are left out. @param near_surfaces those near a
  /// surface are not: what a surface cuts does not know on which side it was. @returns t = 0 and the first
  /// such pair, or 1.
  ClearPart find_passage(const Bodies& bodies, const EvenPath& path, bool near_surfaces);

  /// Steps whose forces are secants: the contacts of this rank in which a force acted in the step last
  /// evaluated, those with ghosts on both ranks.
  [[nodiscard]] std::vector<Impact> impacts(const Bodies& bodies) const;
  /// What the impact update took back of the normal impulse of a contact [N s]: the next step's friction
  /// limit follows from the rest.
  void take_back(const Impact& impact, double impulse) {
    pairs_[static_cast<std::size_t>(impact.pair)].active[static_cast<std::size_t>(impact.at)].impulse =
        impulse;
  }

  // Rigid contact (contact dynamics); defined in contacts_rigid.cpp.

  /// A place where bodies may touch in the step to come.
  struct RigidContact {
    int pair = 0, at = 0;       ///< indices into pairs() and its `active`
    Vec3 point = Vec3::Zero();  ///< on the line of action, halfway between the surfaces [m]
    double force = 0;           ///< normal force in the last step, 0 if it is new [N]
  };
  /// Finds the contacts of all pairs with a gap below `reach` [m] at the accepted state; pairs hold them,
  /// without forces. @param[out] contacts those that this rank counts. @returns smallest gap of all pairs of
  /// this rank [m], +infinity without any. @throws RecoverableError on an overlap without a distance.
  double find_rigid(const Bodies& bodies, double reach, std::vector<RigidContact>& contacts);
  /// Smallest gap of the pairs that `find_rigid` looked at, at the accepted state [m]. Keeps what it found.
  /// @param reach as in `find_rigid`: pairs that were further apart, and had no contact, are left out.
  [[nodiscard]] double rigid_gap(const Bodies& bodies, double reach);
  /// What contact dynamics found for a contact. Forces on A [N].
  struct RigidForce {
    double normal = 0;       ///< along the normal
    double first_found = 0;  ///< the same, of the LCP
    Vec3 friction = Vec3::Zero();
  };
  /// Puts forces to the contacts of the last `find_rigid`: for outputs, and as the start of the next step.
  /// Contacts without force are dropped. @param forces as many and in the same order.
  void set_rigid_forces(const Bodies& bodies, const std::vector<RigidContact>& contacts,
                        const std::vector<RigidForce>& forces);
  /// Takes the last `set_rigid_forces` back, as far as the next step starts from it. No search may have come
  /// between.
  void undo_rigid_forces();

  /// Largest net compression at the last evaluation on this rank [N].
  [[nodiscard]] double largest_force() const { return largest_force_; }
  [[nodiscard]] ContactTotals totals(const Bodies& bodies) const;
  /// Residual wrench of A per pair at the last evaluation: contact puts the negative of it on A.
  [[nodiscard]] const std::vector<PairWrench>& pair_wrenches() const { return wrenches_; }
  [[nodiscard]] const std::vector<BodyPair>& pairs() const { return pairs_; }
  [[nodiscard]] const InterfaceLaw& law(const BodyPair& pair) const { return laws_[pair.interface]; }
  [[nodiscard]] const Shape& shape_of(const Bodies& bodies, int i) const {
    return (*shapes_)[bodies.properties[i].shape];
  }
  /// From the pole of B, or of its image, to that of A, about which wrenches are [m]: the trial state's, in
  /// steps whose forces are secants the mean poles of the step.
  [[nodiscard]] Vec3 arm_of(const Bodies& bodies, const BodyPair& pair) const;
  /// Whether this rank counts the pair in sums over all ranks.
  static bool counted(const Bodies& bodies, const BodyPair& pair) { return bodies.is_owned(pair.a); }

  /// @returns the memory of all pairs of this rank, or of those of one body.
  [[nodiscard]] std::vector<PairMemory> memory(std::optional<BodyId> body = {}) const;
  /// Takes memory over; the next `search` gives it to the pairs that are there. A pair may come twice.
  void remember(const std::vector<PairMemory>& memory);
  /// Clears all pairs and their history: `remember` and `search` rebuild them.
  void forget();

  /// Geometry of the trial state; of the accepted one in a frozen step.
  [[nodiscard]] BodyView view(const Bodies& bodies, int i) const;
  /// The same of B of a pair, or of the image of B that A meets.
  [[nodiscard]] BodyView view_of_b(const Bodies& bodies, const BodyPair& pair) const;
  /// Moves cached vertices (in a frozen step poses too) to the state that forces are evaluated at.
  void update_vertices(const Bodies& bodies);

 private:
  /// What a step needs of a pair before it looks at the pair itself: pairs are large and many.
  struct Awake {
    int pair = 0, a = 0, b = 0;
  };
  /// Sum of the largest displacements of points of both bodies in the step to the trial state [m].
  [[nodiscard]] double motion_of(const Bodies& bodies, const Awake& pair) const;
  /// A body seen through faces of the periodic cell.
  struct Image {
    int body = 0;
    Vec3 shift = Vec3::Zero();  ///< from the body [m]
    BodyTrial trial;
    int first_vertex = 0;
  };
  /// What the last evaluation of a pair found, beside its wrench.
  struct Found {
    double largest = 0;      ///< net compression of a contact [N]
    bool acting = false;     ///< there are active contacts
    bool missing = false;    ///< ... without blocks in the tangent
    bool assembled = false;  ///< is in the tangent that was assembled last
  };

  [[nodiscard]] double pair_reach(const InterfaceLaw& law) const {
    return law.normal.threshold() + feature_skin_;
  }
  /// Gap of a pair that may have slept since it was measured: not smaller than this [m].
  [[nodiscard]] double least_gap(const BodyPair& pair) const {
    return pair.nearest - 2 * (travel_sum_ - pair.measured_at);
  }
  [[nodiscard]] Side side(const Bodies& bodies, int i) const;
  /// Geometry at a trial state.
  [[nodiscard]] const Shape& shape_at(const Bodies& bodies, int i, const BodyTrial& trial) const;
  void freeze(const Bodies& bodies);
  /// Collects the images that pairs meet.
  void list_images();
  /// Room for the vertices of the images behind those of the bodies.
  void append_image_vertices(const Bodies& bodies);
  /// Moves the images to where their bodies are now.
  void update_images(const Bodies& bodies);
  /// The same outside of an evaluation, when trial states are others than at the last one. Bodies' vertices
  /// must have been updated since the search.
  void refresh_images(const Bodies& bodies);
  void measure(BodyPair& pair, const Bodies& bodies);
  /// Radii of curvature of superquadrics where they are nearest, for the step to come: held during it, so
  /// that forces keep a potential (theory 06 section 10).
  void update_curvature(BodyPair& pair, const Bodies& bodies);
  /// The same for two superquadrics that touch in the step under way and did not at its start.
  void set_curvature_at_start(BodyPair& pair, const Bodies& bodies);
  /// The same where the normal from B to A is known. Nothing if the law requires no radii.
  void set_curvature(BodyPair& pair, const Bodies& bodies, const Vec3& n);
  void evaluate_pair(const Awake& awake, const Bodies& bodies);
  void wake_all(const Bodies& bodies);
  void everybody_awake();
  // Paths; defined in contacts_path.cpp.

  /// motion_in_step on a path from the trial state.
  [[nodiscard]] double motion_along(const Bodies& bodies, const Path& path) const;
  /// Bound on how fast the distances of a pair change along a path of unit length [m].
  [[nodiscard]] double closing_speed(int ia, int ib, const Bodies& bodies, const Path& path) const;
  /// Clear part of a path for one pair, whose distances change by less than `speed` [m] along it.
  ClearPart advance(BodyPair& pair, const Bodies& bodies, const Path& path, double speed);
  /// The same beside a boundary whose vertices move. @param speed with the whole of their motion [m].
  ClearPart advance_beside(BodyPair& pair, const Bodies& bodies, const Path& path, double speed);
  /// Displacement of B in the step where A touches it, of a boundary that deforms: weighted by normal forces
  /// [m].
  [[nodiscard]] Vec3 motion_under(const BodyPair& pair, const BodyView& a, const BodyView& b) const;
  /// Whether the core of body a meets a boundary whose vertices move, as `core_meets`.
  [[nodiscard]] bool core_meets_surface(const Bodies& bodies, const EvenPath& path, int a, int b,
                                        double speed) const;
  /// Whether the core of body a meets body or boundary b on a path. @param shift of b, to the image that a
  /// meets [m]. @param speed of a's points as b sees them, at most [m].
  [[nodiscard]] bool core_meets(const Bodies& bodies, const EvenPath& path, int a, int b, const Vec3& shift,
                                double speed) const;
  /// Rebuilds the candidates of a pair if it moved too far for gaps up to `reach` [m], and sets pair.covered.
  void cover(BodyPair& pair, const Bodies& bodies, double reach);
  /// How far gaps of a pair may be closed beyond zero [m]: not at all under a barrier law; else until the
  /// skeletons that the rounding is about meet; infinite against a plane and from inside of what is
  /// curved.
  [[nodiscard]] double allowed_depth(const BodyPair& pair, const Bodies& bodies) const;
  /// Contacts of one pair with gaps below `reach` [m].
  void find_rigid_of(BodyPair& pair, const Bodies& bodies, double reach);

  const std::vector<Shape>* shapes_;
  std::vector<const DeformingSurface*> surfaces_;  ///< per boundary part; empty: none deforms
  std::vector<InterfaceLaw> laws_;
  std::vector<std::vector<int>> interface_of_;
  std::vector<Elasticity> materials_;
  std::vector<Core> cores_;  ///< of the shapes, created at their first use
  double threshold_ = 0, scale_ = 0, feature_skin_ = 0, travel_ = 0;
  std::vector<BodyPair> pairs_;       ///< sorted by ids, then images
  std::vector<BodyPair> incoming_;    ///< memory that migrated here, until the next search
  std::vector<PairWrench> wrenches_;  ///< residual wrench of A per pair, last evaluation
  std::vector<Vec3> vertices_;        ///< global vertices of all local bodies at the trial state
  std::vector<int> first_vertex_;
  std::vector<Image> images_;      ///< that pairs of the last search meet
  std::vector<BodyTrial> frozen_;  ///< in a frozen step: accepted poses with the velocities of the trial
  std::vector<Vec3> searched_at_;  ///< poles at the last search
  std::vector<BodyState> searched_walls_;  ///< boundaries at the last search
  std::vector<double> searched_ways_;      ///< per boundary: DeformingSurface::way at the last search [m]
  std::vector<Found> found_;               ///< per pair, last evaluation
  bool stale_ = true;                      ///< something else than bodies changed since the last evaluation
  std::vector<Awake> awake_;               ///< the pairs that a step looks at, ascending
  double awake_travel_ = 0;  ///< motion of a body in a step up to which the others may sleep [m]
  double travel_sum_ = 0;    ///< largest motion of a body, summed over accepted steps [m]
  StepContext step_;
  bool coupling_missing_ = false;
  std::vector<std::vector<HistoryEntry>> history_before_;  ///< per pair: see undo_rigid_forces
  std::vector<Term> kept_terms_;                           ///< scratch of `rigid_gap`
  std::vector<Active> kept_active_;
  double largest_force_ = 0;
  long solve_ = 0;  ///< number of the last solve: what pairs keep of another one is void
  bool solving_ = false;
};

}  // namespace scree::contact
