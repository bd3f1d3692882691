#!/usr/bin/env python3
"""Chains of rings from fine meshes: cost per simulated second against the number of links and of triangles per link."""
import argparse
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import harness  # noqa: E402

RADIUS, THICKNESS, PITCH = 0.4, 0.1, 0.595  # of a ring and of its tube, of the links along the chain [m]
AIM, FINER = 1.0, 2.0  # CPU s per simulated second and link with the coarsest mesh; factor for all finer ones


def write_ring(path, triangles):
    """A torus of about `triangles` triangles, as STL. @returns their number."""
    across = max(3, round(math.sqrt(triangles / 3)))
    around = max(3, round(triangles / (2 * across)))

    def point(i, j):
        a, b = 2 * math.pi * i / around, 2 * math.pi * j / across
        r = RADIUS + THICKNESS * math.cos(b)
        return r * math.cos(a), r * math.sin(a), THICKNESS * math.sin(b)

    lines = ["solid ring"]
    for i in range(around):
        for j in range(across):
            corners = point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)
            for triangle in ((0, 1, 2), (0, 2, 3)):
                lines.append("facet normal 0 0 0\nouter loop")
                lines += ["vertex %.9g %.9g %.9g" % corners[k] for k in triangle]
                lines.append("endloop\nendfacet")
    lines.append("endsolid ring")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 2 * around * across


def deck_of(mesh, links, end):
    """A chain that is held by its first link and released from the horizontal."""
    bodies = []
    for k in range(links):
        body = {"shape": "ring", "material": "steel", "position": [PITCH * k, 0, 0]}
        if k % 2:
            body["orientation"] = {"axis": [1, 0, 0], "angle_deg": 90}
        if k == 0:
            body["fixed"] = True
        bodies.append(body)
    barrier = {"law": "barrier", "threshold": 1e-3, "stiffness": 1e15, "exponent": 3, "barrier_fraction": 0.4,
               "barrier_exponent": -2, "damping_ratio": 0.3}
    return {"title": f"benchmark, chain of {links} links", "gravity": [0, 0, -9.81],
            "time": {"end": end, "step": {"initial": 1e-4, "min": 1e-10, "max": 0.01}},
            "materials": {"steel": {"density": 1000}}, "shapes": {"ring": {"type": "polyhedron", "file": f"../{mesh}"}},
            "bodies": bodies, "interfaces": [{"between": ["*", "*"], "normal": barrier}],
            "output": {"histories": [{"file": "energy.csv", "every": 0.01}]}}


def main(ratios):
    parser = argparse.ArgumentParser(description=__doc__)
    common.add_options(parser, "chains")
    parser.add_argument("--links", type=int, nargs="+", default=[3, 10, 50])
    parser.add_argument("--triangles", type=int, nargs="+", default=[1200, 10000, 100000], help="per link")
    parser.add_argument("--end", type=float, default=0.5, help="simulated time [s]")
    arguments = common.parse(parser, "chains")
    program = harness.Program(arguments.binary, arguments.work)
    rows, sizes = [], sorted(arguments.triangles)
    for triangles in sizes:
        mesh = f"ring_{triangles}.stl"
        count = write_ring(arguments.work / mesh, triangles)
        for links in arguments.links:
            name = f"chain_{links}_{triangles}"
            # Reading and checking the mesh is not part of the simulation.
            start = program.run(deck_of(mesh, links, 1e-4), f"{name}_start")
            run = program.run(deck_of(mesh, links, arguments.end), name)
            cost = (run.core_seconds - start.core_seconds) / arguments.end
            rows.append([links, count, f"{cost:.2f}", f"{cost / links:.3f}", run.report["steps"],
                         f"{run.report['newton_iterations'] / run.report['steps']:.2f}", f"{start.core_seconds:.2f}"])
            print(f"{links} links of {count} triangles: {cost:.2f} CPU s per simulated second", flush=True)
            aim = AIM if triangles == sizes[0] else FINER * AIM
            ratios.at_most(f"{links} links of {count} triangles, CPU s per simulated second and link", cost / links, aim,
                           "cost follows the features in contact, not the size of the meshes")
    print()
    common.table(["links", "triangles", "CPU s/s", "per link", "steps", "Newton/step", "start, CPU s"], rows)


if __name__ == "__main__":
    sys.exit(common.main_of("chains", __doc__, main))
