#include "solvers/bodies_of_deck.hpp"

#include <functional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "assembly/callback_guard.hpp"
#include "core/archive.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

std::size_t hash_of(const std::vector<std::byte>& bytes) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

BodiesOfDeck::BodiesOfDeck(const Model& model) : count(model.bodies.size()) {
  std::vector<std::byte> name, geometry, mass, fixed, text;
  ByteWriter to_names(name), to_geometry(geometry), to_masses(mass), to_supports(fixed);
  for (const Shape& shape : model.shapes) {
    for (const double number : {static_cast<double>(shape.kind), shape.radius, shape.volume,
                                shape.bounding_radius, static_cast<double>(shape.vertices.size())})
      to_geometry.put(number);
  }
  for (const BodyDescription& body : model.bodies) {
    to_names.put(body.name);
    to_geometry.put(body.shape);
    to_masses.put(body.mass);
    to_masses.put(body.inertia_B);
    to_supports.put(body.fixed);
  }
  const StopDescription& stop = model.time.stop;
  ByteWriter to_text(text);
  to_text.put(model.deck_text);
  for (const double number :
       {model.time.end, stop.wanted ? 1.0 : 0.0, stop.kinetic_energy, stop.unbalanced_force, stop.after})
    to_text.put(number);
  names = hash_of(name);
  shapes = hash_of(geometry);
  masses = hash_of(mass);
  supports = hash_of(fixed);
  deck = hash_of(text);
}

std::string BodiesOfDeck::difference_from(const BodiesOfDeck& other) const {
  if (count != other.count)
    return text::join(std::to_string(count), " bodies in the deck, not ", std::to_string(other.count));
  if (names != other.names) return "bodies of other names, or in another order";
  if (shapes != other.shapes) return "bodies of other shapes or sizes";
  if (masses != other.masses) return "bodies of other masses";
  return supports != other.supports ? "bodies with other fixed degrees of freedom" : "";
}

void BodiesOfDeck::require_same(const BodiesOfDeck& saved_in, MPI_Comm comm) const {
  petsc::CallbackGuard(comm).call([&] {
    const std::string other = difference_from(saved_in);
    if (!other.empty())
      throw std::invalid_argument("restore: the snapshot is that of another model: this one has " + other);
  });
}

}  // namespace scree
