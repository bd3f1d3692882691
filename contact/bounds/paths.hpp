/// Paths of bodies and boundaries, and the part of them that is clear.
#pragma once

#include <cstdint>
#include <vector>

#include "core/body.hpp"

namespace scree::contact {

/// Path of all local bodies, boundaries included, from their trial states: displacement t du and Rodrigues
/// increment alpha + t dalpha for t from 0 to 1.
struct Path {
  std::vector<Vec3> du, dalpha;  ///< per local body [m], [-]
  /// Per boundary: the point that it turns about, at its trial state [m]. That point goes straight, its pole
  /// on an arc. Empty: all turn about their poles.
  std::vector<Vec3> centres;
  /// Per boundary: change of BodyTrial::phase along the path. Empty: none deforms.
  std::vector<double> phases;
  /// Per local body that moves: t at which it stops. Empty: all go to the end.
  std::vector<double> stops;

  /// @returns t at which a body stops; 1: boundaries.
  [[nodiscard]] double stop(int i) const {
    const auto at = static_cast<std::size_t>(i);
    return at < stops.size() ? stops[at] : 1.0;
  }
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

/// What PathBounds::stop_bodies found on one rank.
struct StoppedBodies {
  bool any = false;
  bool in_vain = false;       ///< a boundary goes into a body that does not move, or that one carries
  bool short_of_end = false;  ///< as in ClearPart
};

/// Pairs that a path is looked at for. Those of moving boundaries suffice where the part of a clear path that
/// bodies go is shortened and that of boundaries is not.
enum class PathPairs : std::uint8_t { all, of_moving_boundaries };

}  // namespace scree::contact
