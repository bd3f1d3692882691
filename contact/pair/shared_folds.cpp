#include "contact/pair/shared_folds.hpp"

#include <algorithm>
#include <utility>

namespace scree::contact {
namespace {

/// Open feature that a key names.
struct Feature {
  FeatureKind kind;
  int number;  ///< of a face: its sheet
};

Feature feature_of(std::uint64_t key, bool on_b) {
  const int number = on_b ? feature_of_b(key) : feature_of_a(key);
  return {static_cast<FeatureKind>(number % 3), number / 3};
}

bool is_of_sheet(const Shape& surface, int face, int sheet) {
  return face >= 0 && surface.faces[static_cast<std::size_t>(face)].sheet == sheet;
}

/// Whether one is on the boundary of the other.
bool meet(const Shape& surface, Feature p, Feature q) {
  if (p.kind > q.kind) std::swap(p, q);  // vertex, edge, face
  const auto at = static_cast<std::size_t>(p.number);
  if (p.kind == FeatureKind::vertex && q.kind == FeatureKind::edge) {
    const Edge& edge = surface.edges[static_cast<std::size_t>(q.number)];
    return edge.v0 == p.number || edge.v1 == p.number;
  }
  if (p.kind == FeatureKind::vertex && q.kind == FeatureKind::face) {
    const auto& faces = surface.vertex_faces[at];
    return std::any_of(faces.begin(), faces.end(),
                       [&](int face) { return is_of_sheet(surface, face, q.number); });
  }
  if (p.kind == FeatureKind::edge && q.kind == FeatureKind::face) {
    const Edge& edge = surface.edges[at];
    return is_of_sheet(surface, edge.f0, q.number) || is_of_sheet(surface, edge.f1, q.number);
  }
  return false;
}

}  // namespace

double net_compression(const BodyPair& pair, const Active& contact) {
  double sum = 0;
  for (int t = contact.first; t < contact.first + contact.terms; ++t) {
    const Term& term = pair.terms[static_cast<std::size_t>(t)];
    sum += term.sign * term.law.compression();
  }
  return sum;
}

void share_fold(BodyPair& pair, const Item& item, std::size_t first, const BodyView& a, const BodyView& b) {
  if (item.count == 0 || item.kind == ItemKind::edges) return;
  thread_local std::vector<double> net;
  net.clear();
  bool takes_off = false;
  for (std::size_t i = first; i < pair.active.size(); ++i) {
    net.push_back(net_compression(pair, pair.active[i]));
    takes_off = takes_off || net.back() < 0;
  }
  if (!takes_off) return;
  // Keys of superquadrics have the feature of the other body, whichever it is, as that of B.
  const bool on_b = item.kind != ItemKind::vertex_of_b;
  const bool is_of_a = item.kind == ItemKind::vertex_of_b ||
                       (item.kind == ItemKind::smooth && b.shape->kind == ShapeKind::superquadric);
  const Shape& surface = is_of_a ? *a.shape : *b.shape;
  const auto fold_of = [&](std::size_t i) -> int& { return pair.active[i].fold; };
  for (std::size_t i = first; i < pair.active.size(); ++i) fold_of(i) = static_cast<int>(i);
  for (std::size_t i = first; i < pair.active.size(); ++i) {
    for (std::size_t j = first; j < i; ++j) {
      const int p = fold_of(i);
      const int q = fold_of(j);
      if (p == q ||
          !meet(surface, feature_of(pair.active[i].key, on_b), feature_of(pair.active[j].key, on_b)))
        continue;
      for (std::size_t k = first; k < pair.active.size(); ++k)
        if (fold_of(k) == std::max(p, q)) fold_of(k) = std::min(p, q);
    }
  }
  for (std::size_t i = first; i < pair.active.size(); ++i) {
    if (fold_of(i) != static_cast<int>(i)) continue;
    double positive = 0;
    double taken = 0;
    for (std::size_t k = i; k < pair.active.size(); ++k) {
      if (fold_of(k) != fold_of(i)) continue;
      positive += std::max(net[k - first], 0.0);
      taken += std::max(-net[k - first], 0.0);
    }
    const bool shared = positive > 0 && taken > 0;
    const double counts = shared ? std::max(1 - taken / positive, 0.0) : 1.0;
    for (std::size_t k = pair.active.size(); k-- > i;) {
      Active& contact = pair.active[k];
      if (contact.fold != static_cast<int>(i)) continue;
      if (!shared) contact.fold = -1;
      contact.counts = counts;
      contact.normal *= counts;
      contact.pressing *= counts;
      contact.dashpot *= counts;
    }
  }
}

}  // namespace scree::contact
