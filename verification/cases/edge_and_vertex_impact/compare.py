"""Exact edge-edge, vertex-vertex, vertex-edge and edge-face impacts of two cubes."""
import math

import harness
import reference_block
from judging import largest

MASS, EDGE, HEIGHT = 2.0, 0.1, 0.02
SPEED = math.sqrt(2 * reference_block.GRAVITY * HEIGHT)
MGH = MASS * reference_block.GRAVITY * HEIGHT

DIAGONAL = {"axis": [1, -1, 0], "angle_deg": math.degrees(math.acos(1 / math.sqrt(3)))}  # a vertex up, one down
ALONG_X = {"axis": [1, 0, 0], "angle_deg": 45}  # edges along x up and down
ALONG_Y = {"axis": [0, 1, 0], "angle_deg": 45}
FLAT = {"axis": [0, 0, 1], "angle_deg": 0}
REACH = {id(DIAGONAL): math.sqrt(3) / 2 * EDGE, id(ALONG_X): math.sqrt(0.5) * EDGE,
         id(ALONG_Y): math.sqrt(0.5) * EDGE, id(FLAT): EDGE / 2}
ARRANGEMENTS = {  # upper cube, lower cube
    "edge_across_edge": (ALONG_X, ALONG_Y),
    "edge_along_edge": (ALONG_X, ALONG_X),
    "vertex_on_vertex": (DIAGONAL, DIAGONAL),
    "vertex_on_edge": (DIAGONAL, ALONG_X),
    "edge_on_face": (ALONG_X, FLAT),
}


def deck_of(upper, lower):
    source = harness.read_deck(harness.ROOT / "inputs/paper/example_1a.json")
    threshold = source["interfaces"][0]["normal"]["threshold"]
    z = REACH[id(upper)] + REACH[id(lower)] + threshold + HEIGHT
    time = SPEED / reference_block.GRAVITY
    return {**source, "boundaries": [],
            "time": {"end": round(1.5 * time, 6), "step": 1e-5},
            "bodies": [
                {"name": "upper", "shape": "cube", "material": "block", "position": [0, 0, z], "orientation": upper},
                {"name": "lower", "shape": "cube", "material": "block", "position": [0, 0, 0], "orientation": lower,
                 "fixed": True}],
            "output": {"histories": [
                {"file": "energy.csv", "columns": ["time", "total_energy"]},
                {"file": "upper.csv", "body": "upper",
                 "columns": ["time", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"]}]}}


def compare(case):
    for name, (upper, lower) in ARRANGEMENTS.items():
        run = case.run(deck_of(upper, lower), name, trace=True)
        block, energy = run.history("upper.csv"), run.history("energy.csv")["total_energy"]
        # Kinetic and potential energy at the end, as the speed at the height of the contact onset.
        fallen = block["z"][0] - HEIGHT - block["z"][-1]
        square = block["vz"][-1] ** 2 - 2 * reference_block.GRAVITY * fallen
        case.equal(f"{name}: speed after the bounce [m/s]", math.copysign(math.sqrt(abs(square)), block["vz"][-1]),
                   SPEED, "third order in the step", relative=1.5e-8)
        case.at_most(f"{name}: horizontal speed [m/s]", math.hypot(block["vx"][-1], block["vy"][-1]), 4e-12,
                     "round-off, amplified once")
        spin = math.hypot(block["wx"][-1], block["wy"][-1], block["wz"][-1]) * EDGE / 2
        case.at_most(f"{name}: spin times half the edge [m/s]", spin, 4e-12, "round-off, amplified once")
        case.at_most(f"{name}: largest energy error, part of m g H", largest(abs(e - energy[0]) for e in energy) / MGH,
                     3e-3, "order (omega h)^2")
        case.no_intersection(name)
