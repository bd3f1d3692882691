#include "contact/secant/hollow_step.hpp"

#include <algorithm>

namespace scree::contact {
namespace {

double apart2(const HollowPlace& a, const HollowPlace& b) { return (a.on_body - b.on_body).squaredNorm(); }

/// @returns the place of sign 1 that is nearest to another one; -1: none.
int nearest_of(const std::vector<HollowPlace>& places, const HollowPlace& to) {
  int nearest = -1;
  for (int k = 0; k < static_cast<int>(places.size()); ++k) {
    if (places[k].term.sign > 0 && (nearest < 0 || apart2(places[k], to) < apart2(places[nearest], to)))
      nearest = k;
  }
  return nearest;
}

/// For each place the one that goes with it at the other end, nearest first; -1: none is left.
struct Partners {
  std::vector<int> of_start, of_end;
};

void find_partners(const std::vector<HollowPlace>& starts, const std::vector<HollowPlace>& ends,
                   Partners& partners) {
  struct Candidate {
    double apart2;
    int start, end;
  };
  thread_local std::vector<Candidate> candidates;
  candidates.clear();
  for (int i = 0; i < static_cast<int>(starts.size()); ++i)
    for (int j = 0; j < static_cast<int>(ends.size()); ++j) {
      if (starts[i].term.sign == ends[j].term.sign) candidates.push_back({apart2(starts[i], ends[j]), i, j});
    }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.apart2 < b.apart2; });
  partners.of_start.assign(starts.size(), -1);
  partners.of_end.assign(ends.size(), -1);
  for (const Candidate& candidate : candidates) {
    if (partners.of_start[candidate.start] >= 0 || partners.of_end[candidate.end] >= 0) continue;
    partners.of_start[candidate.start] = candidate.end;
    partners.of_end[candidate.end] = candidate.start;
  }
}

/// Of the places without a partner, each of sign 1 with the nearest of sign -1.
/// @param call with the numbers of both.
template <class F>
void for_each_two(const std::vector<HollowPlace>& places, std::vector<int>& partner, F&& call) {
  for (int i = 0; i < static_cast<int>(places.size()); ++i) {
    if (partner[i] >= 0 || places[i].term.sign < 0) continue;
    int nearest = -1;
    for (int j = 0; j < static_cast<int>(places.size()); ++j) {
      if (partner[j] < 0 && places[j].term.sign < 0 &&
          (nearest < 0 || apart2(places[i], places[j]) < apart2(places[i], places[nearest])))
        nearest = j;
    }
    if (nearest < 0) return;
    partner[i] = partner[nearest] = 0;
    call(i, nearest);
  }
}

}  // namespace

void join_hollow_places(const std::vector<HollowPlace>& starts, const std::vector<HollowPlace>& ends,
                        std::vector<ClosedTerm>& terms) {
  thread_local Partners partners;
  find_partners(starts, ends, partners);
  const auto add = [&](const Term& start, const HollowPlace& end, double sign) {
    terms.push_back({start, end.term, end.place});
    terms.back().end.sign = sign;
  };
  for (std::size_t k = 0; k < ends.size(); ++k) {
    if (partners.of_end[k] >= 0) add(starts[partners.of_end[k]].term, ends[k], ends[k].term.sign);
  }
  for_each_two(ends, partners.of_end, [&](int plus, int minus) {
    const int nearest = nearest_of(starts, ends[plus]);
    if (nearest < 0) return;
    add(starts[nearest].term, ends[plus], 1);
    add(starts[nearest].term, ends[minus], -1);
  });
  for_each_two(starts, partners.of_start, [&](int plus, int minus) {
    const HollowPlace& end = ends[nearest_of(ends, starts[plus])];
    add(starts[plus].term, end, 1);
    add(starts[minus].term, end, -1);
  });
  std::stable_sort(terms.begin(), terms.end(),
                   [](const ClosedTerm& a, const ClosedTerm& b) { return a.place < b.place; });
}

}  // namespace scree::contact
