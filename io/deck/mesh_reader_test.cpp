#include "io/deck/mesh_reader.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/error.hpp"
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
  const auto a = parse_mesh(text(kTetrahedron), "a.stl").surface;
  const auto b = parse_mesh(binary(kTetrahedron, "solid, but binary"), "b.stl").surface;
  EXPECT_EQ(a.loops, b.loops);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.vertices.size(), 4u);
  EXPECT_NEAR(make_polyhedron("tet", a.vertices, a.loops).volume, 1.0 / 6, 1e-15);
}

TEST(MeshReader, KeywordsOfTextMayBeInCapitals) {
  std::string capitals = text(kTetrahedron);
  std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  EXPECT_EQ(parse_mesh(capitals, "a.stl").surface.vertices,
            parse_mesh(text(kTetrahedron), "a.stl").surface.vertices);
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
  EXPECT_EQ(parse_mesh(all + "endsolid\n", "a.stl").surface.vertices.size(), 4u);
}

std::string complaint_of_mesh(const std::string& bytes, const std::string& file = "stone.stl") {
  try {
    const auto mesh = parse_mesh(bytes, file).surface;
    make_polyhedron("stone", mesh.vertices, mesh.loops);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MeshReader, DamagedFilesAreRefused) {
  EXPECT_THAT(complaint_of_mesh("hello"), HasSubstr("not an STL file"));
  EXPECT_THAT(complaint_of_mesh(""), HasSubstr("not an STL file"));
  EXPECT_THAT(complaint_of_mesh("solid\nendsolid\n"), HasSubstr("no triangles"));
  const std::string good = text(kTetrahedron);
  EXPECT_THAT(complaint_of_mesh(good.substr(0, good.find("endsolid"))), HasSubstr("\"endsolid\" is missing"));
  const std::string in_facet = "truncated: the file ends in the middle of a facet.";
  EXPECT_THAT(complaint_of_mesh(good.substr(0, good.find("endloop"))), HasSubstr(in_facet));
  EXPECT_THAT(complaint_of_mesh(good.substr(0, good.find("VERTEX") + 10)), HasSubstr(in_facet));
  // The end of the first solid is not that of the second.
  EXPECT_EQ(parse_mesh(good + good, "stone.stl").surface.loops.size(), 8u);
  EXPECT_THAT(complaint_of_mesh(good + good.substr(0, good.find("endsolid"))),
              HasSubstr("\"endsolid\" is missing"));
  EXPECT_THAT(complaint_of_mesh(good + good.substr(0, good.find("endloop"))), HasSubstr(in_facet));
  const std::string bytes = binary(kTetrahedron, "made by a test");
  EXPECT_THAT(complaint_of_mesh(bytes.substr(0, bytes.size() - 20)), HasSubstr("truncated"));
  std::string wrong = text(kTetrahedron);
  wrong.replace(wrong.find("1.000000"), 8, "one");
  EXPECT_THAT(complaint_of_mesh(wrong), HasSubstr("stone.stl:5: got \"one\"; expected a number."));
  wrong.replace(wrong.find("one"), 3, "1e400");
  EXPECT_THAT(complaint_of_mesh(wrong), HasSubstr("stone.stl:5: got \"1e400\", out of the range"));
  std::string short_facet = text(kTetrahedron);
  short_facet.erase(short_facet.find("   VERTEX"),
                    short_facet.find("   VERTEX", 60) - short_facet.find("   VERTEX"));
  EXPECT_THAT(complaint_of_mesh(short_facet), HasSubstr("does not have three vertices"));
}

TEST(MeshReader, BinaryFilesThatBeginAsTextMayHaveMoreBytesAndSayWhichAreMissing) {
  const std::string bytes = binary(kTetrahedron, "solid, but binary");
  EXPECT_EQ(parse_mesh(bytes + std::string(100, '\0'), "a.stl").surface.vertices,
            parse_mesh(bytes, "a.stl").surface.vertices);
  EXPECT_THAT(complaint_of_mesh(bytes.substr(0, bytes.size() - 20)),
              HasSubstr("the header declares 4 triangles (284 bytes), but the file has 264 bytes."));
  std::string named = text(kTetrahedron);
  named.replace(named.find("tet"), 3, "k\xC3\xBCgel");
  EXPECT_EQ(parse_mesh(named, "a.stl").surface.loops.size(), 4u);
}

TEST(MeshReader, OpenTurnedAndDegenerateSurfacesAreRefusedWithTheirTriangle) {
  auto open = kTetrahedron;
  open.pop_back();
  open.push_back({Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 2)});
  EXPECT_THAT(complaint_of_mesh(text(open)), HasSubstr("surface not closed: face"));
  auto turned = kTetrahedron;
  std::swap(turned[1][0], turned[1][1]);
  EXPECT_THAT(complaint_of_mesh(text(turned)), HasSubstr("faces 0 and 1 traverse the edge"));
  auto inside_out = kTetrahedron;
  for (auto& t : inside_out) std::swap(t[0], t[1]);
  EXPECT_THAT(complaint_of_mesh(binary(inside_out, "")), HasSubstr("inverted orientation"));
  auto flat = kTetrahedron;
  flat.push_back({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 0, 0)});
  EXPECT_THAT(complaint_of_mesh(text(flat)), HasSubstr("face 4 is degenerate"));
}

// A cube of quadrilaterals, corners in double precision.
const std::vector<std::array<int, 4>> kCubeFaces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
constexpr double kThird = 1.0 / 3;

Vec3 cube_corner(int k) { return {(k & 1) * kThird, (k >> 1 & 1) * kThird, (k >> 2) * kThird}; }

std::string number(double value) { return fmt::format("{:.17g}", value); }

std::string corner_text(int k) {
  const Vec3 v = cube_corner(k);
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}

std::string cube_obj() {
  std::string all = "# a cube\nmtllib none.mtl\no cube\nvt 0 0\nvn 0 0 1\n";
  for (int k = 0; k < 8; ++k) all += fmt::format("v {}{}\n", corner_text(k), k == 3 ? " 1.0 # weight" : "");
  for (std::size_t f = 0; f < kCubeFaces.size(); ++f) {
    all += "f";
    for (const int v : kCubeFaces[f])
      all += fmt::format(" {}{}", f == 2 ? v - 8 : v + 1, f == 1 ? "/1/1" : f == 3 ? "//1" : "");
    all += f == 4 ? " \\\n\n" : "\n";
  }
  return all;
}

std::string cube_off() {
  std::string all = "COFF 8 6 12\r\n\r\n# corners\r\n";
  for (int k = 0; k < 8; ++k) all += corner_text(k) + " 255 0 0 255\r\n";
  for (const auto& face : kCubeFaces) {
    all += "4";
    for (const int v : face) all += fmt::format(" {}", v);
    all += " 0 0 0\r\n";
  }
  return all;
}

std::string cube_ply(const std::string& format) {
  std::string all = "ply\nformat " + format +
                    " 1.0\ncomment made by a test\nelement vertex 8\nproperty double x\nproperty double y\n"
                    "property double z\nproperty uchar red\nelement material 1\nproperty list uchar float "
                    "shades\nelement face 6\nproperty list uint8 int vertex_indices\nproperty short "
                    "number\nend_header\n";
  const auto put = [&](auto value) {
    if (format == "ascii") {
      all += number(static_cast<double>(value)) + " ";
      return;
    }
    std::array<char, sizeof(value)> raw{};
    std::memcpy(raw.data(), &value, sizeof(value));
    if (format == "binary_big_endian") std::reverse(raw.begin(), raw.end());
    all.append(raw.data(), raw.size());
  };
  const auto end_line = [&] {
    if (format == "ascii") all += "\n";
  };
  for (int k = 0; k < 8; ++k) {
    const Vec3 v = cube_corner(k);
    for (int axis = 0; axis < 3; ++axis) put(v[axis]);
    put(std::uint8_t{200});
    end_line();
  }
  put(std::uint8_t{2});
  put(0.5F);
  put(1.5F);
  end_line();
  for (const auto& face : kCubeFaces) {
    put(std::uint8_t{4});
    for (const int v : face) put(static_cast<std::int32_t>(v));
    put(std::int16_t{-3});
    end_line();
  }
  return all;
}

TEST(MeshReader, FormatsOfTheSameMeshGiveTheSameSurfaceToTheLastBit) {
  for (const auto& [file, bytes] :
       {std::pair("cube.obj", cube_obj()), std::pair("cube.OFF", cube_off()),
        std::pair("cube.ply", cube_ply("ascii")), std::pair("cube.ply", cube_ply("binary_little_endian")),
        std::pair("cube.ply", cube_ply("binary_big_endian"))}) {
    SCOPED_TRACE(file);
    const ReadMesh read = parse_mesh(bytes, file);
    ASSERT_EQ(read.surface.loops.size(), kCubeFaces.size());
    EXPECT_EQ(read.merged, 0u);
    EXPECT_EQ(read.corners, 24u);
    for (std::size_t f = 0; f < kCubeFaces.size(); ++f) {
      ASSERT_EQ(read.surface.loops[f].size(), 4u);
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_EQ(read.surface.vertices[read.surface.loops[f][k]], cube_corner(kCubeFaces[f][k]));
    }
    EXPECT_EQ(make_polyhedron("cube", read.surface.vertices, read.surface.loops).faces.size(), 6u);
  }
}

TEST(MeshReader, VerticesThatCoincideAreCounted) {
  std::string doubled = cube_obj() + "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf -3 -2 -1\n";
  EXPECT_EQ(parse_mesh(doubled, "a.obj").merged, 1u);
  EXPECT_EQ(parse_mesh(doubled + "v 5 5 5\nv 6 6 6\n", "a.obj").merged, 1u) << "without faces: no duplicates";
}

std::string changed(std::string all, const std::string& from, const std::string& to) {
  all.replace(all.find(from), from.size(), to);
  return all;
}

TEST(MeshReader, DamagedObjFilesAreRefusedWithTheirLine) {
  EXPECT_THAT(complaint_of_mesh("v 0 0 0\n", "a.obj"), HasSubstr("no faces"));
  EXPECT_THAT(complaint_of_mesh("v 0 0\n", "a.obj"), HasSubstr("a.obj:1: the line ends too early"));
  EXPECT_THAT(complaint_of_mesh("v 0 x 0\n", "a.obj"), HasSubstr("a.obj:1: got \"x\""));
  EXPECT_THAT(complaint_of_mesh("v 0 0 1e400\n", "a.obj"),
              HasSubstr("a.obj:1: got \"1e400\", out of the range"));
  EXPECT_THAT(complaint_of_mesh("v 0 0 0\nf 1 2.5 3\n", "a.obj"), HasSubstr("a.obj:2: got \"2.5\""));
  EXPECT_THAT(complaint_of_mesh("v 0 0 0\nf 1 0 1\n", "a.obj"), HasSubstr("a.obj:2: vertex number 0"));
  EXPECT_THAT(complaint_of_mesh("v 0 0 0\nf 1 -2 1\n", "a.obj"), HasSubstr("a.obj:2: vertex number -2"));
  EXPECT_THAT(complaint_of_mesh("v 0 0 0\nf 1 2 3\n", "a.obj"),
              HasSubstr("a.obj:2: vertex number 3 is out of range; the file has 1 vertices"));
  EXPECT_THAT(complaint_of_mesh("v 0 0 0\nf 1 1\n", "a.obj"), HasSubstr("a.obj:2: a face with 2 vertices"));
  EXPECT_THAT(complaint_of_mesh("v 0 0 0\nf 1 1 1\n", "a.obj"), HasSubstr("all vertices coincide"));
}

TEST(MeshReader, DamagedOffFilesAreRefusedWithTheirLine) {
  const std::string good = cube_off();
  EXPECT_THAT(complaint_of_mesh("", "a.off"), HasSubstr("a.off: truncated"));
  EXPECT_THAT(complaint_of_mesh(changed(good, "COFF", "4OFF"), "a.off"), HasSubstr("a.off:1: got \"4OFF\""));
  EXPECT_THAT(complaint_of_mesh("OFF BINARY\n", "a.off"), HasSubstr("binary OFF is not supported"));
  EXPECT_THAT(complaint_of_mesh(changed(good, "8 6", "8000000000 6"), "a.off"), HasSubstr("got 8000000000"));
  EXPECT_THAT(complaint_of_mesh(changed(good, "8 6", "-8 6"), "a.off"), HasSubstr("got -8"));
  EXPECT_THAT(complaint_of_mesh(changed(good, "8 6", "8 7"), "a.off"),
              HasSubstr("truncated: expected a face"));
  EXPECT_THAT(complaint_of_mesh(changed(good, "8 6", "7 6"), "a.off"), HasSubstr("a.off:11: got"));
  EXPECT_THAT(complaint_of_mesh(changed(good, "4 0 2 3 1", "4 0 2 8 1"), "a.off"),
              HasSubstr("a.off:12: vertex number 8 is out of range; expected 0 to 7"));
  EXPECT_THAT(complaint_of_mesh(changed(good, "4 0 2 3 1 0 0 0", "4 0 2"), "a.off"),
              HasSubstr("ends too early"));
}

TEST(MeshReader, DamagedPlyFilesAreRefused) {
  const std::string text = cube_ply("ascii"), raw = cube_ply("binary_little_endian");
  EXPECT_THAT(complaint_of_mesh("plyx\n", "a.ply"), HasSubstr("not a PLY file"));
  EXPECT_THAT(complaint_of_mesh(changed(text, "end_header", "comment"), "a.ply"), HasSubstr("a.ply:15: got"));
  EXPECT_THAT(complaint_of_mesh("ply\nformat ascii 1.0\n", "a.ply"), HasSubstr("\"end_header\" is missing"));
  EXPECT_THAT(complaint_of_mesh(changed(text, "ascii", "utf8"), "a.ply"), HasSubstr("a.ply:2: got \"utf8\""));
  EXPECT_THAT(complaint_of_mesh(changed(text, "property double y", "property real y"), "a.ply"),
              HasSubstr("a.ply:6: got \"real\""));
  EXPECT_THAT(complaint_of_mesh(changed(text, "property double y", "property double b"), "a.ply"),
              HasSubstr("no property \"y\""));
  EXPECT_THAT(complaint_of_mesh(changed(text, "element vertex", "element point"), "a.ply"),
              HasSubstr("\"element vertex\" is missing"));
  EXPECT_THAT(complaint_of_mesh(changed(text, "vertex_indices", "strips"), "a.ply"), HasSubstr("no faces"));
  EXPECT_THAT(complaint_of_mesh(changed(text, "list uint8 int", "list float int"), "a.ply"),
              HasSubstr("must have an integer type"));
  EXPECT_THAT(complaint_of_mesh(changed(text, "vertex 8", "vertex 4000000000"), "a.ply"),
              HasSubstr("got 4000000000"));
  EXPECT_THAT(complaint_of_mesh(changed(text, "face 6", "face 7"), "a.ply"),
              HasSubstr("declares more elements"));
  EXPECT_THAT(complaint_of_mesh(changed(raw, "face 6", "face 7"), "a.ply"),
              HasSubstr("declares more elements"));
  EXPECT_THAT(complaint_of_mesh(raw.substr(0, raw.size() - 3), "a.ply"), HasSubstr("declares more elements"));
  EXPECT_THAT(complaint_of_mesh(changed(text, "vertex 8", "vertex 7"), "a.ply"), HasSubstr("a.ply:"));
  EXPECT_THAT(complaint_of_mesh(changed(text, "\n4 0 2 3 1", "\n4 0 2.4 3 1"), "a.ply"),
              HasSubstr("a.ply:24: vertex number 2.4 is not an integer."));
  EXPECT_THAT(complaint_of_mesh(changed(text, "\n4 0 2 3 1", "\n4.5 0 2 3 1"), "a.ply"),
              HasSubstr("a.ply:24: list length 4.5 is not an integer."));
  const std::string nan("\x00\x00\x00\x00\x00\x00\xf8\x7f", 8);
  std::string not_finite = raw;
  not_finite.replace(raw.find("end_header\n") + 11, 8, nan);
  EXPECT_THAT(complaint_of_mesh(not_finite, "a.ply"),
              HasSubstr("a.ply: vertex 0: a coordinate is not finite"));
}

TEST(MeshReader, CoordinatesWhoseProductsOverflowAreRefused) {
  const std::string faces = "f 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";
  EXPECT_THAT(complaint_of_mesh("v 0 0 0\nv 1 0 0\nv 0 -2e60 0\nv 0 0 1\n" + faces, "a.obj"),
              HasSubstr("a.obj: vertex 2: got 2e+60; expected 0 or a magnitude between 1e-60 and 1e+60"));
  EXPECT_THAT(complaint_of_mesh("v 0 0 0\nv 1 0 0\nv 0 -1e60 0\nv 0 0 1\n" + faces, "a.obj"),
              ::testing::Not(HasSubstr("got")));
}

}  // namespace
}  // namespace scree
