/// All contacts of this rank: owner of the parts that find them, evaluate them and bound the step.
#pragma once

#include <memory>
#include <vector>

#include "contact/laws/interface_law.hpp"
#include "core/shapes/shape.hpp"

namespace scree::contact {

class BodyMotion;
class ContactForces;
class ContactImpacts;
class ContactModel;
class ContactWork;
class CorePassage;
class OverlapCheck;
class PairBlocks;
class PairGaps;
class PairList;
class PairSwitches;
class PathBounds;
class RigidForces;
class Settling;
class StepBounds;
class TrialGeometry;
class VertexForces;
class Waking;
struct PairResults;

/// Each part has its header: who calls a part includes it.
class Contacts {
 public:
  /// As ContactModel.
  Contacts(const std::vector<Shape>& shapes, std::vector<InterfaceLaw> laws,
           std::vector<std::vector<int>> interface_of, std::vector<Elasticity> materials = {});
  Contacts(const Contacts&) = delete;
  Contacts& operator=(const Contacts&) = delete;
  Contacts(Contacts&&) = delete;
  Contacts& operator=(Contacts&&) = delete;
  ~Contacts();

  // contact/neighbours/: what pairs there are, and what is known of them.
  [[nodiscard]] const ContactModel& model() const;
  [[nodiscard]] const TrialGeometry& geometry() const;
  [[nodiscard]] TrialGeometry& geometry();
  [[nodiscard]] const BodyMotion& motion() const;
  [[nodiscard]] const PairResults& results() const;
  [[nodiscard]] const PairList& list() const;
  [[nodiscard]] PairList& list();
  [[nodiscard]] PairGaps& gaps();
  [[nodiscard]] Waking& waking();
  [[nodiscard]] PairSwitches& switches();
  [[nodiscard]] PairBlocks& blocks();

  // contact/forces/: what they do to bodies and boundaries.
  [[nodiscard]] const ContactForces& forces() const;
  [[nodiscard]] ContactForces& forces();
  [[nodiscard]] const ContactWork& work() const;
  [[nodiscard]] const ContactImpacts& impacts() const;
  [[nodiscard]] ContactImpacts& impacts();
  [[nodiscard]] const VertexForces& vertex_forces() const;
  [[nodiscard]] RigidForces& rigid();

  // contact/bounds/: what they allow a step to be.
  [[nodiscard]] PathBounds& path_bounds();
  [[nodiscard]] CorePassage& passage();
  [[nodiscard]] OverlapCheck& overlaps();
  [[nodiscard]] StepBounds& step_bounds();
  [[nodiscard]] Settling& settling();

 private:
  struct Parts;

 public:
  /// What all parts hold, lists included. Only the contacts that it is of can go back to it.
  class Copy {
   public:
    Copy(Copy&&) noexcept;
    Copy& operator=(Copy&&) noexcept;
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;
    ~Copy();
    [[nodiscard]] const PairList& list() const;

   private:
    friend class Contacts;
    explicit Copy(const Parts& parts);
    // Its parts know those of the contacts, not each other: it is for going back alone.
    std::unique_ptr<Parts> parts_;
  };
  [[nodiscard]] Copy copy() const;
  /// The same into a copy that is not needed any more: its memory is used again.
  void copy_into(Copy& copy) const;
  void go_back(const Copy& copy);

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace scree::contact
