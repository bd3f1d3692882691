#include "assembly/migration.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "assembly/exchange.hpp"
#include "assembly/ghosts.hpp"
#include "assembly/petsc.hpp"

namespace scree {
namespace {

struct Body {
  BodyProperties properties;
  BodyState state;
  BodyTrial trial;
};

void append_body(std::vector<std::byte>& bytes, const BodyProperties& properties, const BodyState& state,
                 const std::vector<std::byte>& luggage) {
  ByteWriter writer(bytes);
  writer.put(properties);
  writer.put(state);
  writer.put(luggage);
}

/// Replaces the owned bodies (there are no ghosts), keeps the boundaries behind them.
void replace_owned(Bodies& bodies, const std::vector<Body>& owned) {
  Bodies next;
  next.owned = static_cast<int>(owned.size());
  next.boundaries = bodies.boundaries;
  next.periodic = bodies.periodic;
  for (const Body& body : owned) {
    next.properties.push_back(body.properties);
    next.state.push_back(body.state);
    next.trial.push_back(body.trial);
  }
  for (int i = bodies.owned; i < bodies.all(); ++i) {
    next.properties.push_back(bodies.properties[i]);
    next.state.push_back(bodies.state[i]);
    next.trial.push_back(bodies.trial[i]);
  }
  bodies = std::move(next);
}

}  // namespace

void replace_bodies(Bodies& bodies, std::span<const char> leaves, std::span<const NewBody> arrivals) {
  if (std::ssize(leaves) != bodies.owned)
    throw std::invalid_argument("replace_bodies: one mark per owned body");
  drop_ghosts(bodies);
  std::vector<Body> owned;
  for (int i = 0; i < bodies.owned; ++i)
    if (leaves[i] == 0) owned.push_back({bodies.properties[i], bodies.state[i], bodies.trial[i]});
  for (const NewBody& body : arrivals) owned.push_back({body.properties, body.state, {}});
  replace_owned(bodies, owned);
}

long migrate(MPI_Comm comm, Bodies& bodies, std::span<const int> new_owner, const BodyLuggage& luggage) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (std::ssize(new_owner) != bodies.owned)
    throw std::invalid_argument("migrate: one new owner per owned body");
  if (std::ranges::any_of(new_owner, [ranks](int r) { return r < 0 || r >= ranks; }))
    throw std::invalid_argument("migrate: a new owner that is no rank");
  static const petsc::LogEvent event("ScreeMigrate");
  const petsc::LogScope scope(event);
  drop_ghosts(bodies);

  std::map<int, std::vector<int>> leaving;  // new owner -> bodies
  std::vector<Body> owned;
  for (int i = 0; i < bodies.owned; ++i) {
    if (new_owner[i] == rank) {
      owned.push_back({bodies.properties[i], bodies.state[i], bodies.trial[i]});
    } else {
      leaving[new_owner[i]].push_back(i);
    }
  }
  long moved = bodies.owned - static_cast<long>(owned.size());
  MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_LONG, MPI_SUM, comm);
  if (moved == 0) return 0;

  std::vector<Parcel> parcels;
  for (const auto& [receiver, list] : leaving) {
    Parcel& parcel = parcels.emplace_back(Parcel{receiver, {}});
    for (const int i : list)
      append_body(parcel.bytes, bodies.properties[i], bodies.state[i], luggage.pack(bodies.properties[i].id));
  }
  std::map<BodyId, std::vector<std::byte>> arrived;
  for (const Parcel& parcel : exchange_parcels(comm, parcels)) {
    for (ByteReader reader(parcel.bytes); !reader.done();) {
      Body& body = owned.emplace_back();
      body.properties = reader.next<BodyProperties>();
      body.state = reader.next<BodyState>();
      reader.take(arrived[body.properties.id]);
    }
  }
  std::ranges::sort(owned, {}, [](const Body& body) { return body.properties.id; });
  replace_owned(bodies, owned);
  for (const auto& [id, bytes] : arrived) luggage.unpack(id, bytes);
  return moved;
}

}  // namespace scree
