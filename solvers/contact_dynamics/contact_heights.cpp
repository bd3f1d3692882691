#include "solvers/contact_dynamics/contact_heights.hpp"

#include <deque>

namespace scree::contact_dynamics {

std::vector<double> contact_heights(const ContactEnergy& energy, const Vec3& up) {
  const StepProblem& problem = energy.problem();
  const auto owned = static_cast<std::size_t>(problem.owned);
  // Contacts of each body, as a compressed list: the contact point is the same seen from both (but the gap).
  std::vector<int> first(owned + 1, 0), of;
  const auto inner = [&](std::size_t i) { return energy.b(i) >= 0 && energy.b(i) < problem.owned; };
  for (std::size_t i = 0; i < energy.contacts().size(); ++i)
    if (inner(i)) ++first[energy.a(i) + 1], ++first[energy.b(i) + 1];
  for (std::size_t b = 0; b < owned; ++b) first[b + 1] += first[b];
  of.resize(first[owned]);
  std::vector<int> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < energy.contacts().size(); ++i)
    if (inner(i)) of[next[energy.a(i)]++] = of[next[energy.b(i)]++] = static_cast<int>(i);
  std::vector<double> height(owned, 0);
  std::vector<char> known(owned, 0);
  std::deque<int> front;
  for (std::size_t start = 0; start < owned; ++start) {
    if (known[start] != 0) continue;
    known[start] = 1;
    front.push_back(static_cast<int>(start));
    while (!front.empty()) {
      const int body = front.front();
      front.pop_front();
      for (int k = first[body]; k < first[body + 1]; ++k) {
        const int i = of[k];
        const Constraint& contact = problem.constraints[energy.contacts()[i]];
        const int other = energy.a(i) == body ? energy.b(i) : energy.a(i);
        if (known[other] != 0) continue;
        known[other] = 1;
        const double step = up.dot(contact.arm_b - contact.arm_a);
        height[other] = height[body] + (energy.a(i) == body ? -step : step);
        front.push_back(other);
      }
    }
  }
  return height;
}

}  // namespace scree::contact_dynamics
