/// The part of a path on which no body goes through another one (theory 03 section 6).
#pragma once

#include "contact/bounds/paths.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/neighbours/waking.hpp"
#include "core/body.hpp"

namespace scree::contact {

class PathBounds {
 public:
  PathBounds(const ContactModel& model, TrialGeometry& geometry, PairList& list, Waking& waking)
      : model_(&model), geometry_(&geometry), list_(&list), waking_(&waking) {}

  /// Largest part of a path along which no gap closes by more than nine tenths, for overlap-based laws no
  /// distance of the skeletons that the rounding is about (cheap filter, then additive conservative
  /// advancement on the candidates of a pair). Starts at the last evaluated trial state.
  ClearPart clip(const Bodies& bodies, const Path& path, PathPairs which = PathPairs::all);

  /// Stops bodies before they meet: lowers `stops` of both bodies of each pair that is not clear on the path
  /// with its `stops`, up to where each of them stops anyway. A body that has stopped in the way of a moving
  /// plane, bore or cavity, or of a body that such a boundary carries, is to be carried as well. Where none
  /// is carried, one that has stopped in the way of a moving boundary stops sooner, in the end where it
  /// begins.
  /// @param changed per local body: only pairs with one of these are looked at.
  /// @param[in,out] carriers per local body that moves: number of the boundary with which its path goes; < 0:
  /// none. The path of those that are new here is still their own. Empty: boundaries carry none.
  StoppedBodies stop_bodies(const Bodies& bodies, const Path& path, const std::vector<char>& changed,
                            std::vector<double>& stops, std::vector<double>& carriers);

 private:
  /// How fast distances of a pair change at most along a path [m per unit of t].
  struct Closing {
    double both = 0;   ///< up to t = part
    double alone = 0;  ///< then, while only one of them moves
    double part = 1, end = 1;
    /// When the distances may have changed by so much [m] since t.
    [[nodiscard]] double after(double t, double way) const;
    /// How much the distances change at most per unit of the path at t [m].
    [[nodiscard]] double rate(double t) const { return t < part ? both : alone; }
    [[nodiscard]] double total() const { return both * part + alone * (end - part); }
  };

  /// BodyMotion::in_step on a path from the trial state.
  [[nodiscard]] double motion_along(const Bodies& bodies, const Path& path) const;
  /// Bound on how fast the distances of a pair change along a path of unit length [m].
  [[nodiscard]] double closing_speed(int ia, int ib, const Bodies& bodies, const Path& path, bool a_moves,
                                     bool b_moves) const;
  [[nodiscard]] Closing closing(int ia, int ib, const Bodies& bodies, const Path& path) const;
  /// Clear part of a path for one pair. @param as_far up to this t at least.
  [[nodiscard]] ClearPart clear_part_of(const AwakePair& awake, const Bodies& bodies, const Path& path,
                                        double as_far) const;
  ClearPart advance(BodyPair& pair, const Bodies& bodies, const Path& path, const Closing& speed) const;
  /// The same beside a boundary whose vertices move. @param speed with the whole of their motion [m].
  ClearPart advance_beside(BodyPair& pair, const Bodies& bodies, const Path& path, double speed) const;

  const ContactModel* model_;
  TrialGeometry* geometry_;
  PairList* list_;
  Waking* waking_;
};

}  // namespace scree::contact
