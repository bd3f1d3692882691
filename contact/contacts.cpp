#include "contact/contacts.hpp"

#include <utility>

#include "contact/bounds/core_passage.hpp"
#include "contact/bounds/overlap_check.hpp"
#include "contact/bounds/path_bounds.hpp"
#include "contact/bounds/settling.hpp"
#include "contact/bounds/step_bounds.hpp"
#include "contact/forces/contact_forces.hpp"
#include "contact/forces/contact_impacts.hpp"
#include "contact/forces/contact_work.hpp"
#include "contact/forces/rigid_forces.hpp"
#include "contact/forces/vertex_forces.hpp"
#include "contact/neighbours/body_motion.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_blocks.hpp"
#include "contact/neighbours/pair_curvature.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/pair_switches.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/neighbours/waking.hpp"

namespace scree::contact {

/// Each part knows those above it.
struct Contacts::Parts {
  ContactModel model;
  PairResults results;
  TrialGeometry geometry{model};
  PairCurvature curvature{model, geometry};
  BodyMotion motion{model, geometry};
  PairList list{model, geometry, motion, results};
  PairGaps gaps{model, geometry, curvature, list};
  Waking waking{model, geometry, curvature, list, gaps, results};
  PairSwitches switches{geometry, list, gaps, results};
  PairBlocks blocks{model, list, gaps, results};

  ContactForces forces{model, geometry, motion, curvature, list, gaps, waking, results};
  ContactWork work{model, geometry, list, results, forces};
  ContactImpacts impacts{model, geometry, list, forces, results};
  VertexForces vertex_forces{model, geometry, list, forces};
  RigidForces rigid{model, geometry, list, gaps, results};

  PathBounds path_bounds{model, geometry, list, waking};
  CorePassage passage{model, geometry, list};
  OverlapCheck overlaps{model, geometry, list, rigid};
  StepBounds step_bounds{model, geometry, curvature, list, gaps};
  Settling settling{model, geometry, list};

  explicit Parts(ContactModel&& of) : model(std::move(of)) {}
};

Contacts::Contacts(const std::vector<Shape>& shapes, std::vector<InterfaceLaw> laws,
                   std::vector<std::vector<int>> interface_of, std::vector<Elasticity> materials)
    : parts_(std::make_unique<Parts>(
          ContactModel(shapes, std::move(laws), std::move(interface_of), std::move(materials)))) {}

Contacts::~Contacts() = default;

Contacts::Copy::Copy(const Parts& parts) : parts_(std::make_unique<Parts>(parts)) {}
Contacts::Copy::Copy(Copy&&) noexcept = default;
Contacts::Copy& Contacts::Copy::operator=(Copy&&) noexcept = default;
Contacts::Copy::~Copy() = default;
const PairList& Contacts::Copy::list() const { return parts_->list; }

Contacts::Copy Contacts::copy() const { return Copy(*parts_); }
void Contacts::copy_into(Copy& copy) const { *copy.parts_ = *parts_; }
void Contacts::go_back(const Copy& copy) { *parts_ = *copy.parts_; }

const ContactModel& Contacts::model() const { return parts_->model; }
const TrialGeometry& Contacts::geometry() const { return parts_->geometry; }
TrialGeometry& Contacts::geometry() { return parts_->geometry; }
const BodyMotion& Contacts::motion() const { return parts_->motion; }
const PairResults& Contacts::results() const { return parts_->results; }
const PairList& Contacts::list() const { return parts_->list; }
PairList& Contacts::list() { return parts_->list; }
PairGaps& Contacts::gaps() { return parts_->gaps; }
Waking& Contacts::waking() { return parts_->waking; }
PairSwitches& Contacts::switches() { return parts_->switches; }
PairBlocks& Contacts::blocks() { return parts_->blocks; }
const ContactForces& Contacts::forces() const { return parts_->forces; }
ContactForces& Contacts::forces() { return parts_->forces; }
const ContactWork& Contacts::work() const { return parts_->work; }
const ContactImpacts& Contacts::impacts() const { return parts_->impacts; }
ContactImpacts& Contacts::impacts() { return parts_->impacts; }
const VertexForces& Contacts::vertex_forces() const { return parts_->vertex_forces; }
RigidForces& Contacts::rigid() { return parts_->rigid; }
PathBounds& Contacts::path_bounds() { return parts_->path_bounds; }
CorePassage& Contacts::passage() { return parts_->passage; }
OverlapCheck& Contacts::overlaps() { return parts_->overlaps; }
StepBounds& Contacts::step_bounds() { return parts_->step_bounds; }
Settling& Contacts::settling() { return parts_->settling; }

}  // namespace scree::contact
