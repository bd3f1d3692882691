/// Bodies among many faces of a surface at once.
#include <cmath>
#include <vector>

#include "contact/pair/test_pair.hpp"

namespace scree::contact {
namespace {

using testing::TestPair;
using testing::Vec12;

constexpr double kFacesThreshold = 0.02;

/// Ball or superquadric on the axis of a pyramid that opens upwards, of up to 150 faces: faces less edges
/// plus the tip, all of them (theory 03 section 4.1), by their distances in closed form.
TEST(Sheet, HoweverManyFacesActTogether) {
  Interface law;
  law.normal = BarrierParameters{.threshold = kFacesThreshold, .stiffness = 3e9, .exponent = 3};
  constexpr double kRadius = 0.05;
  const Shape ball = make_sphere("ball", kRadius);
  const Shape round = make_superquadric("round", Vec3::Constant(kRadius), 2, 2, 30);
  for (const int n : {5, 12, 40, 150}) {
    std::vector<Vec3> v(1, Vec3::Zero());
    std::vector<std::vector<int>> faces;
    for (int k = 0; k < n; ++k) {
      v.emplace_back(0.3 * std::cos(2 * M_PI * k / n), 0.3 * std::sin(2 * M_PI * k / n), 0.15);
      faces.push_back({0, k + 1, (k + 1) % n + 1});
    }
    const Shape cone = make_surface("cone", v, faces);
    const double apothem = 0.3 * std::cos(M_PI / n), edge = 0.3 / std::hypot(0.3, 0.15);
    const double face = apothem / std::hypot(apothem, 0.15);
    const double height = (kRadius + 0.4 * kFacesThreshold) / face;  // of the centre above the tip
    for (const Shape& body : {ball, round}) {
      TestPair t(body, cone, law);
      t.a.state.x = Vec3(0, 0, height) - cone.shift;
      t.set(Vec12::Zero());
      build_items(t.pair, t.a.view(), t.b.view(), 0.5);
      ASSERT_NEAR(smallest_gap(t.pair, t.a.view(), t.b.view()), 0.4 * kFacesThreshold, 1e-12) << n;
      const auto force = [&](double s) { return t.law.normal.at(s * height - kRadius).force * s; };
      const double expected = n * (force(face) - force(edge)) + force(1);
      const Vec3 r = t.at(Vec12::Zero()).force;
      EXPECT_LT((r / expected + Vec3::UnitZ()).norm(), 1e-8) << n << ' ' << body.name;
    }
  }
}

}  // namespace
}  // namespace scree::contact
