/// From candidates to terms: which features are closest, and with which sign they count.
#pragma once

#include <vector>

#include "contact/laws/normal_law.hpp"
#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Vertex p of A against a point of B's surface (global frame).
Term vertex_on_b(const Vec3& p, const SurfacePoint& on_b, const BodyView& b, double radii);
/// Vertex q of B against a point of A's surface.
Term vertex_on_a(const Vec3& q, const SurfacePoint& on_a, const BodyView& a, double radii);

/// Where something is nearest to a surface, and how often that counts.
struct Place {
  SurfacePoint point;
  int weight = 0;
};

/// The place of a feature among those already seen, or a new one without weight. @param is_new out.
Place& place_of(std::vector<Place>& places, FeatureKind kind, int feature, bool& is_new);

/// Nearest points closer than this times their distance from what is in contact are one: a body that stands
/// above a seam is as near to both faces as to the edge.
inline constexpr double kSamePoint = 1e-8;

/// Where round-off decides on which feature a nearest point lies, the sum of theory 03 section 4.1 may hold
/// +1 and -1 of features that meet in it: a point exactly above an edge or vertex inside of a sheet of
/// coplanar faces counts +1 for each face around it and -1 for what they share; so does one whose foot on an
/// edge is exactly the end of it. They cancel only in pairs at one point: a face further away is a contact of
/// its own. What is left acts once, also in damping and friction.
/// @param[in,out] places with their weights.
void drop_ties(std::vector<Place>& places);

/// Places on a surface that is not convex where a vertex's closed features are nearest: closed faces and
/// vertices +1, closed edges -1, summed per open feature (theory 03 section 4.1).
/// @param local the vertex in the surface's frame. @param within places further away are left out [m].
/// @param[out] places however many: what is left out of a signed sum is a force that nothing balances.
/// @param[out] nearest distance of any [m].
void weighted_places(const BodyPair& pair, const Item& item, const Shape& surface, const Vec3& local,
                     double within, std::vector<Place>& places, double& nearest);

/// Straight edge of a body in the trial configuration.
struct Segment {
  Vec3 start, direction;
  double length = 0;
  [[nodiscard]] Vec3 at(double t) const { return start + t * direction; }
};
/// @param other body; of an infinite edge (axis of a cylinder) the part around it, far beyond its reach.
Segment segment_of(const BodyView& body, int edge, const BodyView& other);

/// Nearest point of the surface that the vertex of an item may touch. @param local the vertex; it and the
/// point are in the surface's frame.
SurfacePoint nearest_of_item(const BodyPair& pair, const Item& item, const Shape& surface, const Vec3& local);

/// Term of two edges, but for its distance, gap and normal.
Term crossing_term(const Segment& e, const Segment& f, const SegmentPair& nearest);

/// Point of a contact between the surfaces [m]. @param radius_a, radius_b roundings. @param share part of the
/// gap or overlap on A's side of it.
Vec3 contact_point(const Term& term, double radius_a, double radius_b, double share = 0.5);

/// What an item of a vertex or of a superquadric has found.
struct VertexContacts {
  struct Contact {
    int first = 0, count = 0;  ///< of its terms
    int feature = 0;           ///< that it has on the surface, for its key
  };
  std::vector<Contact> contacts;
  double nearest = 0;  ///< gap [m]
};

/// Terms of a vertex item appended to `terms`: the nearest feature of a convex surface, or the signed sum
/// of a non-convex one, less the vertex-vertex pairs that the other side has counted already.
/// @param threshold gaps from here on do not count [m].
/// @param[out] found its contacts; one that is kept from call to call allocates nothing.
void vertex_terms(BodyPair& pair, Item& item, const BodyView& a, const BodyView& b, double threshold,
                  VertexContacts& found);

/// How an edge pair fades in from parallel on: nearly parallel edges have no distinct crossing, their ends
/// carry the contact (docs/contact.md).
struct EdgeWindow {
  double widest = 0;  ///< squared sine from which on it counts whole
  /// @param sine2 squared sine of the angle between the edges.
  [[nodiscard]] double at(double sine2) const {
    const double x = sine2 / widest;
    return x < 1 ? x * (2 - x) : 1;
  }
};
/// @param length_a, length_b of the edges [m].
EdgeWindow edge_window(const NormalLaw& law, double length_a, double length_b);

/// Terms of an edge pair: the closed pair less its ends, see pair.hpp. The law says from which gap on they
/// count, and the length that the window of nearly parallel edges is measured by.
/// @returns {number of terms appended, window and its derivatives, nearest gap}.
struct EdgeContact {
  int terms = 0;
  double window = 0, mu = 0, mu_dc = 0, nearest = 0;
};
EdgeContact edge_terms(BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b,
                       const NormalLaw& law);

}  // namespace scree::contact
