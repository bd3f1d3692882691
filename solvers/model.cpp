#include "solvers/model.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "assembly/partition.hpp"

namespace scree {
namespace {

bool rubs(const contact::Interface& law) {
  return law.friction.static_coefficient > 0 || !law.friction.limited();
}

}  // namespace

void Model::keep_own_block(int rank, int ranks) {
  if (block) throw std::logic_error("keep_own_block: called twice");
  DescriptionBlock kept{first_body(body_count(), rank, ranks), body_count(), {}};
  for (BodyId id = 0; id < kept.count; ++id) {
    const std::string& name = bodies[static_cast<std::size_t>(id)].name;
    if (!name.empty()) kept.names.emplace_hint(kept.names.end(), id, name);
  }
  const auto first = bodies.begin() + kept.first;
  const auto last = bodies.begin() + first_body(kept.count, rank + 1, ranks);
  // A vector of its own: one that is only made shorter keeps its memory.
  bodies = std::vector<BodyDescription>(std::make_move_iterator(first), std::make_move_iterator(last));
  block = std::move(kept);
}

BodyId Model::body_count() const { return block ? block->count : std::ssize(bodies); }

const BodyDescription* Model::description_of(BodyId id) const {
  const BodyId place = id - (block ? block->first : 0);
  return place >= 0 && place < std::ssize(bodies) ? &bodies[static_cast<std::size_t>(place)] : nullptr;
}

std::string Model::name_of(BodyId id) const {
  if (const BodyDescription* body = description_of(id)) return body->name;
  if (!block) return "";
  const auto found = block->names.find(id);
  return found == block->names.end() ? "" : found->second;
}

int Model::part_of(int boundary) const {
  const auto found = std::find_if(boundary_parts.begin(), boundary_parts.end(),
                                  [&](const BoundaryPart& part) { return part.boundary == boundary; });
  if (found == boundary_parts.end())
    throw std::invalid_argument("boundary " + std::to_string(boundary) + " does not exist");
  return static_cast<int>(found - boundary_parts.begin());
}

bool Model::has_friction() const { return std::any_of(interfaces.begin(), interfaces.end(), rubs); }

bool Model::has_friction(int material) const {
  return std::any_of(interface_of.begin(), interface_of.end(), [&](const std::vector<int>& law_with) {
    const int law = law_with[static_cast<std::size_t>(material)];
    return law >= 0 && rubs(interfaces[static_cast<std::size_t>(law)]);
  });
}

std::string Model::body_in_words(BodyId id) const {
  const std::string name = name_of(id);
  return name.empty() ? "body " + std::to_string(id) : "body \"" + name + '"';
}

}  // namespace scree
