#include "solvers/contact_dynamics/methods.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"

namespace scree::contact_dynamics {
namespace {

template <class Method, std::size_t Count>
using Names = std::array<std::pair<std::string_view, Method>, Count>;

constexpr Names<LcpMethod, 7> kLcp{{{"auto", LcpMethod::automatic},
                                    {"apgd", LcpMethod::apgd},
                                    {"newton", LcpMethod::newton},
                                    {"bncg", LcpMethod::bncg},
                                    {"bqpip", LcpMethod::bqpip},
                                    {"tron", LcpMethod::tron},
                                    {"pgs", LcpMethod::pgs}}};
constexpr Names<CompatibilityMethod, 3> kCompatibility{{{"dual", CompatibilityMethod::dual},
                                                        {"primal", CompatibilityMethod::primal},
                                                        {"none", CompatibilityMethod::none}}};

template <class Method, std::size_t Count>
std::string_view name(const Names<Method, Count>& names, Method method) {
  return std::find_if(names.begin(), names.end(), [&](auto& entry) { return entry.second == method; })->first;
}

template <class Method, std::size_t Count>
std::vector<std::string> list(const Names<Method, Count>& names) {
  std::vector<std::string> known;
  for (const auto& entry : names) known.emplace_back(entry.first);
  return known;
}

template <class Method, std::size_t Count>
Method parse(const Names<Method, Count>& names, const char* what, std::string_view wanted,
             const std::string& where) {
  std::string known;
  for (const auto& [known_name, method] : names) {
    if (known_name == wanted) return method;
    known += (known.empty() ? "" : ", ") + std::string(known_name);
  }
  throw InputError(
      where, std::string("unknown ") + what + " \"" + std::string(wanted) + "\". Valid: " + known + ".");
}

}  // namespace

std::string_view name_of(LcpMethod method) { return name(kLcp, method); }
std::string_view name_of(CompatibilityMethod method) { return name(kCompatibility, method); }
std::vector<std::string> lcp_names() { return list(kLcp); }
std::vector<std::string> compatibility_names() { return list(kCompatibility); }

LcpMethod lcp_method(std::string_view wanted, const std::string& where) {
  return parse(kLcp, "LCP solver", wanted, where);
}

CompatibilityMethod compatibility_method(std::string_view wanted, const std::string& where) {
  return parse(kCompatibility, "method of compatible forces", wanted, where);
}

}  // namespace scree::contact_dynamics
