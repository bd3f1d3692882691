/// Mixtures of generated bodies: shapes by number, sizes by factor or by mass.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/infinity.hpp"
#include "core/interrupt.hpp"
#include "core/memory.hpp"
#include "core/shapes/face_tree_of.hpp"
#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/output/number_format.hpp"
#include "solvers/placement/generator.hpp"

namespace scree::builder {
namespace {

/// Fractions may be given with few digits: a third and two thirds as 0.333 and 0.667.
constexpr double kSumTolerance = 1e-3;

/// @returns diameter of the sphere of the same volume [m].
double diameter(const Shape& shape) { return std::cbrt(6 * shape.volume / std::numbers::pi); }

/// Numbers of bodies that are nearest to the shares: rounded down, the rest to the largest remainders.
/// @param owed bodies that each class is short of; the next draw gets what is left. Empty: the first draw.
std::vector<int> apportion(const std::vector<double>& shares, int count, std::vector<double>& owed) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  owed.resize(shares.size(), 0);
  std::vector<int> numbers;
  std::vector<std::pair<double, std::size_t>> remainders;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    owed[k] += count * (shares[k] / sum);  // the product may be too large for a number
    numbers.push_back(std::max(0, static_cast<int>(std::floor(owed[k]))));  // less than 0: it is ahead
    remainders.emplace_back(numbers[k] - owed[k], k);
  }
  std::sort(remainders.begin(), remainders.end());
  int left = count - std::accumulate(numbers.begin(), numbers.end(), 0);
  for (std::size_t k = 0; left > 0; ++k, --left) ++numbers[remainders[k].second];
  while (left < 0) {
    for (auto one = remainders.rbegin(); left < 0 && one != remainders.rend(); ++one) {
      if (numbers[one->second] == 0) continue;
      --numbers[one->second];
      ++left;
    }
  }
  for (std::size_t k = 0; k < shares.size(); ++k) owed[k] -= numbers[k];
  return numbers;
}

/// Every item as often as its number says, shuffled (Fisher and Yates).
template <class Item>
std::vector<Item> shuffled(const std::vector<Item>& items, const std::vector<int>& numbers,
                           RandomNumbers& random) {
  std::vector<Item> all;
  for (std::size_t k = 0; k < items.size(); ++k)
    all.insert(all.end(), static_cast<std::size_t>(numbers[k]), items[k]);
  for (std::size_t k = all.size(); k > 1; --k)
    std::swap(all[k - 1], all[static_cast<std::size_t>(random.uniform() * static_cast<double>(k))]);
  return all;
}

bool adds_up(Build& build, const Value& values, const std::vector<double>& fractions) {
  const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
  if (std::abs(sum - 1) <= kSumTolerance) return true;
  build.diagnostics.error(values.where(), fmt::format("the fractions sum to {:.6g}; expected 1.", sum));
  return false;
}

class Mixture {
 public:
  Mixture(Build& build, const Value& values, int count, Lots& lots)
      : build_(build),
        values_(values),
        count_(count),
        lots_(lots),
        random_(static_cast<std::uint64_t>(values.number("seed")) ^ 0x6d69787475726573U ^
                (static_cast<std::uint64_t>(lots.drawn) << 32U)) {}

  std::vector<int> draw() {
    std::vector<int> unknown(static_cast<std::size_t>(count_), -1);
    std::vector<int> shapes = draw_shapes();
    const bool sized = values_.has("scale") || values_.has("sizes");
    if (values_.has("scale") && values_.has("sizes")) {
      build_.diagnostics.error(values_.at("sizes").where(),
                               "cannot be combined with \"scale\"; keep one of the two.");
      return unknown;
    }
    if (shapes.empty()) return unknown;
    if (values_.has("scale") && !scale_uniformly(shapes)) return unknown;
    if (values_.has("sizes") && !scale_to_sizes(shapes)) return unknown;
    if (lots_.drawn > 0) return shapes;
    if (sized || values_.at("shape").kind() == Value::Kind::object) note(shapes);
    return shapes;
  }

 private:
  /// @returns shapes of the deck, one per body; empty after an error.
  std::vector<int> draw_shapes() {
    const Value& given = values_.at("shape");
    if (given.kind() == Value::Kind::string) {
      const int shape = find_name(build_, given, Subject::shape);
      if (shape < 0 || build_.shape_good[shape] == 0) return {};
      return std::vector<int>(static_cast<std::size_t>(count_), shape);
    }
    std::vector<double> fractions;
    std::vector<int> shapes;
    bool good = true;
    const auto& valid = build_.deck.at("shapes").keys();
    for (std::size_t k = 0; k < given.items().size(); ++k) {
      const std::string& name = given.keys()[k];
      const int shape = number_of(valid, name);
      if (shape < 0) {
        build_.diagnostics.error(given.items()[k].where(),
                                 fmt::format("unknown shape \"{}\".{}", name, text::suggestion(name, valid)));
        good = false;
        continue;
      }
      shapes.push_back(shape);
      good = good && build_.shape_good[shapes.back()] != 0;
      fractions.push_back(given.items()[k].number());
    }
    if (!good || !adds_up(build_, given, fractions)) return {};
    return shuffled(shapes, apportion(fractions, count_, lots_.shapes), random_);
  }

  bool scale_uniformly(std::vector<int>& shapes) {
    const Value& uniform = values_.at("scale").at("uniform");
    const double low = uniform.items()[0].number(), high = uniform.items()[1].number();
    if (low > high) {
      build_.diagnostics.error(
          uniform.where(), fmt::format("got [{}, {}]; expected the smaller factor first.", text::number(low),
                                       text::number(high)));
      return false;
    }
    for (int& shape : shapes) {
      check_interrupt();
      shape = scaled_shape(build_, shape, random_.uniform(low, high));
    }
    return true;
  }

  bool scale_to_sizes(std::vector<int>& shapes) {
    std::vector<double> diameters, fractions, shares;
    bool good = true;
    for (const Value& size : values_.at("sizes").items()) {
      diameters.push_back(size.items()[0].number());
      fractions.push_back(size.items()[1].number());
      shares.push_back(fractions.back() / std::pow(diameters.back(), 3));
      if (diameters.back() > 0) continue;
      build_.diagnostics.error(size.where(), "got a diameter of 0; expected a diameter [m] > 0.");
      good = false;
    }
    if (!good || !adds_up(build_, values_.at("sizes"), fractions)) return false;
    const std::vector<double> drawn = shuffled(diameters, apportion(shares, count_, lots_.sizes), random_);
    for (std::size_t k = 0; k < shapes.size(); ++k)
      shapes[k] = scaled_shape(build_, shapes[k], drawn[k] / diameter(build_.model.shapes[shapes[k]]));
    return true;
  }

  /// Reports the result: whole bodies meet the fractions only approximately.
  void note(const std::vector<int>& shapes) {
    std::map<std::string, int> numbers;
    std::map<double, double> volumes;
    double all = 0;
    for (const int shape : shapes) {
      const Shape& s = build_.model.shapes[shape];
      ++numbers[family_of(s)];
      volumes[std::round(diameter(s) * 1e9) * 1e-9] += s.volume;
      all += s.volume;
    }
    // An inlet by mass draws further batches until its mass is reached.
    const Value* rate = values_.find("rate");
    const bool batch = rate != nullptr && rate->has("mass");
    std::string text = fmt::format("{}: generated {}{}; number fractions{}:", values_.where(),
                                   counted(count_, "body", "bodies"), batch ? " per batch" : "",
                                   batch ? " of the first" : "");
    for (const auto& [name, number] : numbers)
      text += fmt::format(" {} {:.4g} ({})", name, static_cast<double>(number) / count_, number);
    text += fmt::format("; volume-equivalent diameters {:.6g} to {:.6g} m", volumes.begin()->first,
                        volumes.rbegin()->first);
    if (values_.has("sizes")) {
      text += "; volume fractions:";
      for (const auto& [d, volume] : volumes) text += fmt::format(" {:.6g} m: {:.4g}", d, volume / all);
    }
    build_.model.notes.push_back(text);
  }

  Build& build_;
  const Value& values_;
  int count_;
  Lots& lots_;
  RandomNumbers random_;
};

/// @returns what a vector and its block on the heap take [bytes].
template <class T>
std::size_t vector_bytes(const std::vector<T>& items) {
  constexpr std::size_t kHeader = 8, kGrain = 16;  // of an allocator
  const std::size_t block = items.size() * sizeof(T) + kHeader;
  return items.empty() ? 0 : (block + kGrain - 1) / kGrain * kGrain;
}

/// @returns what a shape takes [bytes].
std::size_t shape_bytes(const Shape& shape) {
  std::size_t bytes = sizeof(Shape) + vector_bytes(shape.vertices) + vector_bytes(shape.edges) +
                      vector_bytes(shape.faces) + vector_bytes(shape.vertex_acts) +
                      vector_bytes(shape.vertex_edges) + vector_bytes(shape.vertex_faces) +
                      vector_bytes(shape.triangles);
  for (const Face& face : shape.faces) bytes += vector_bytes(face.loop) + vector_bytes(face.edges);
  for (const auto* lists : {&shape.vertex_edges, &shape.vertex_faces})
    for (const std::vector<int>& list : *lists) bytes += vector_bytes(list);
  // Of a tree per face: its number, and half a node (at most four faces in a leaf, as many nodes above).
  constexpr std::size_t kTree = sizeof(int) + 32;
  return bytes + (has_face_tree(shape) ? kTree * shape.faces.size() : 0);
}

/// @returns what the shape of one more body takes at least [bytes]; 0 where bodies share shapes.
double own_shape_bytes(const Build& build, const Value& values) {
  const Value* scale = values.find("scale");
  if (scale == nullptr ||
      scale->at("uniform").items()[0].number() == scale->at("uniform").items()[1].number())
    return 0;
  const Value& given = values.at("shape");
  const std::vector<std::string> names =
      given.kind() == Value::Kind::string ? std::vector{given.string()} : given.keys();
  const auto& known = build.deck.at("shapes").keys();
  double least = kInfinity;
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (std::find(names.begin(), names.end(), known[k]) == names.end()) continue;
    const Shape& shape = build.model.shapes[k];
    least = std::min(least, static_cast<double>(shape_bytes(shape)));
  }
  return least == kInfinity ? 0 : least;  // unknown names are reported when shapes are drawn
}

}  // namespace

int scaled_shape(Build& build, int shape, double factor) {
  if (factor == 1) return shape;
  const auto [it, is_new] =
      build.scaled.emplace(std::pair{shape, factor}, static_cast<int>(build.model.shapes.size()));
  if (is_new) {
    const Shape& base = build.model.shapes[shape];
    build.model.shapes.push_back(scaled(base, base.name + '*' + text::number(factor), factor));
    build.shape_good.push_back(build.shape_good[shape]);
  }
  return it->second;
}

std::vector<int> draw_shapes(Build& build, const Value& values, int count, Lots& lots) {
  std::vector<int> shapes = Mixture(build, values, count, lots).draw();
  ++lots.drawn;
  return shapes;
}

bool lacks_memory(Build& build, const Value& values, const Value& place, double count, double each) {
  const std::string shortage =
      memory_shortage(count * (each + own_shape_bytes(build, values)), fmt::format("{:.0f} bodies", count));
  if (!shortage.empty()) build.diagnostics.error(place.where(), shortage);
  return !shortage.empty();
}

}  // namespace scree::builder
