#include "io/deck/mesh_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "core/shapes/shape.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

const std::vector<std::array<Vec3, 3>> kTetrahedron = {{Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 0)},
                                                       {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)},
                                                       {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(0, 1, 0)},
                                                       {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}};

std::string binary(const std::vector<std::array<Vec3, 3>>& triangles, const std::string& header) {
  std::string bytes = header;
  bytes.resize(80, ' ');
  const auto put = [&bytes](const auto& value) {
    std::array<char, sizeof(value)> raw{};
    std::memcpy(raw.data(), &value, sizeof(value));
    bytes.append(raw.data(), raw.size());
  };
  put(static_cast<std::uint32_t>(triangles.size()));
  for (const auto& t : triangles) {
    for (int k = 0; k < 3; ++k) put(0.0F);
    for (const auto& v : t) {
      for (int k = 0; k < 3; ++k) put(static_cast<float>(v[k]));
    }
    put(std::uint16_t{0});
  }
  return bytes;
}

std::string text(const std::vector<std::array<Vec3, 3>>& triangles) {
  std::string all = "solid tet\n";
  for (const auto& t : triangles) {
    all += " facet normal 0 0 0\n  outer loop\n";
    for (const auto& v : t) {
      all += "   VERTEX " + std::to_string(v.x()) + " " + std::to_string(v.y()) + " " +
             std::to_string(v.z()) + "\n";
    }
    all += "  endloop\n endfacet\n";
  }
  return all + "endsolid tet\n";
}

TEST(MeshReader, TextAndBinaryGiveTheSameSurface) {
  const auto a = parse_stl(text(kTetrahedron), "a.stl", 1);
  const auto b = parse_stl(binary(kTetrahedron, "solid, but binary"), "b.stl", 1);
  EXPECT_EQ(a.loops, b.loops);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.vertices.size(), 4u);
  EXPECT_NEAR(make_polyhedron("tet", a.vertices, a.loops).volume, 1.0 / 6, 1e-15);
}

TEST(MeshReader, ScaleMultipliesLengths) {
  const auto a = parse_stl(text(kTetrahedron), "a.stl", 0.001);
  EXPECT_NEAR(a.size(), 0.001 * std::sqrt(3.0), 1e-15);
}

TEST(MeshReader, NearlyEqualVerticesBecomeOne) {
  auto triangles = kTetrahedron;
  for (auto& t : triangles) {
    for (auto& v : t) v += Vec3(100, 200, 300);
  }
  triangles[2][1].z() += 1e-10;
  std::string all = "solid\n";
  for (const auto& t : triangles) {
    for (const auto& v : t) {
      std::array<char, 120> line{};
      std::snprintf(line.data(), line.size(), "vertex %.17g %.17g %.17g\n", v.x(), v.y(), v.z());
      all += line.data();
    }
    all += "endfacet\n";
  }
  EXPECT_EQ(parse_stl(all + "endsolid\n", "a.stl", 1).vertices.size(), 4u);
}

std::string complaint(const std::string& bytes) {
  try {
    const auto mesh = parse_stl(bytes, "stone.stl", 1);
    make_polyhedron("stone", mesh.vertices, mesh.loops);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MeshReader, DamagedFilesAreRefused) {
  EXPECT_THAT(complaint("hello"), HasSubstr("not an STL file"));
  EXPECT_THAT(complaint(""), HasSubstr("not an STL file"));
  EXPECT_THAT(complaint("solid\nendsolid\n"), HasSubstr("no triangles"));
  const std::string good = text(kTetrahedron);
  EXPECT_THAT(complaint(good.substr(0, good.find("endsolid"))), HasSubstr("\"endsolid\" is missing"));
  const std::string in_facet = "truncated: the file ends in the middle of a facet.";
  EXPECT_THAT(complaint(good.substr(0, good.find("endloop"))), HasSubstr(in_facet));
  EXPECT_THAT(complaint(good.substr(0, good.find("VERTEX") + 10)), HasSubstr(in_facet));
  const std::string bytes = binary(kTetrahedron, "made by a test");
  EXPECT_THAT(complaint(bytes.substr(0, bytes.size() - 20)), HasSubstr("truncated"));
  std::string wrong = text(kTetrahedron);
  wrong.replace(wrong.find("1.000000"), 8, "one");
  EXPECT_THAT(complaint(wrong), HasSubstr("stone.stl:5: got \"one\"; expected a number."));
  wrong.replace(wrong.find("one"), 3, "1e400");
  EXPECT_THAT(complaint(wrong), HasSubstr("stone.stl:5: got \"1e400\", out of the range"));
  std::string short_facet = text(kTetrahedron);
  short_facet.erase(short_facet.find("   VERTEX"),
                    short_facet.find("   VERTEX", 60) - short_facet.find("   VERTEX"));
  EXPECT_THAT(complaint(short_facet), HasSubstr("does not have three vertices"));
}

TEST(MeshReader, OpenTurnedAndDegenerateSurfacesAreRefusedWithTheirTriangle) {
  auto open = kTetrahedron;
  open.pop_back();
  open.push_back({Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 2)});
  EXPECT_THAT(complaint(text(open)), HasSubstr("surface not closed: face"));
  auto turned = kTetrahedron;
  std::swap(turned[1][0], turned[1][1]);
  EXPECT_THAT(complaint(text(turned)), HasSubstr("faces 0 and 1 traverse the edge"));
  auto inside_out = kTetrahedron;
  for (auto& t : inside_out) std::swap(t[0], t[1]);
  EXPECT_THAT(complaint(binary(inside_out, "")), HasSubstr("inverted orientation"));
  auto flat = kTetrahedron;
  flat.push_back({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 0, 0)});
  EXPECT_THAT(complaint(text(flat)), HasSubstr("face 4 is degenerate"));
}

}  // namespace
}  // namespace scree
