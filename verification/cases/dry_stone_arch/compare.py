"""Semicircular arches of dry stones just above and below the least thickness of limit analysis."""
import math

import harness  # noqa: F401  # pylint: disable=unused-import
from judging import largest

WIDTH, RADIUS, DENSITY = 0.3, 1.0, 2500.0  # m, mid radius, kg/m3
CHORDS = 60  # of an arc of the arch, about
ROUGH = 0.8  # friction: above 0.396 it does not matter
THRESHOLD = 5e-6  # m, of the barrier
JOINT = 1e-9  # m, of rigid contact
# (stones, friction, least thickness over the radius, margin): limit analysis by linear programming, two programs
LEAST = ((7, ROUGH, 0.096245, 0.001), (27, ROUGH, 0.106776, 0.001), (7, 0.36, 0.121975, 0.03))
MARGIN = 0.01  # with a barrier
STILL = 1e-9  # m/s
FALLEN = 1e-3  # m of the highest stone within FALL
FALL = 0.5  # s


def stone(first, last, thickness):
    """A stone between two angles [rad], its joints planar and radial."""
    chords = math.ceil(CHORDS * (last - first) / math.pi)
    angles = [first + (last - first) * k / chords for k in range(chords + 1)]
    outer = [((RADIUS + thickness / 2) * math.cos(a), (RADIUS + thickness / 2) * math.sin(a)) for a in angles]
    inner = [((RADIUS - thickness / 2) * math.cos(a), (RADIUS - thickness / 2) * math.sin(a)) for a in reversed(angles)]
    outline = outer + inner
    n = len(outline)
    side = [[k, k + 1, n - 2 - k, n - 1 - k] for k in range(chords)]
    return {"type": "polyhedron", "vertices": [[x, y, z] for y in (0, WIDTH) for x, z in outline],
            "faces": side + [[k + n for k in reversed(face)] for face in side] +
            [[(k + 1) % n, k, k + n, (k + 1) % n + n] for k in range(n)]}


def deck_of(stones, thickness, joint):
    """@param joint width of the joints and of the gap above the ground [m]."""
    turn = math.pi / stones
    out = joint / (2 * math.sin(turn / 2))  # by which each stone stands off, along its middle
    bodies = [{"shape": f"stone{k}", "material": "stone", "position_of": "mesh origin",
               "position": [out * math.cos((k + 0.5) * turn), 0, out * math.sin((k + 0.5) * turn)]} for k in range(stones)]
    return {
        "gravity": [0, 0, -9.81], "materials": {"stone": {"density": DENSITY}},
        "shapes": {f"stone{k}": stone(k * turn, (k + 1) * turn, thickness) for k in range(stones)}, "bodies": bodies,
        "boundaries": [{"name": "ground", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "stone"}],
        "output": {"final_state": "final.csv"}}


def rigid(stones, thickness, friction):
    return {**deck_of(stones, thickness, JOINT), "analysis": "contact-dynamics", "time": {"end": FALL, "step": 2e-3},
            "interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid"}, "friction": {"static": friction, "dynamic": friction}}]}


def compliant(stones, thickness):
    """With a barrier whose gaps stay far below the margin of the thickness."""
    half = DENSITY * 9.81 * thickness * WIDTH * RADIUS * math.pi / 2  # weight on a springing
    stiffness = half / 8 / (THRESHOLD / 2) ** 3  # of one of the corners of a joint at half of the threshold
    return {**deck_of(stones, thickness, THRESHOLD / 2), "interfaces": [
        {"between": ["*", "*"], "normal": {"law": "barrier", "threshold": THRESHOLD, "stiffness": stiffness, "restitution": 0},
         "friction": {"static": ROUGH, "dynamic": ROUGH, "stiffness": 3 * stiffness * (THRESHOLD / 2) ** 2}}]}


def speed(end):
    return largest(math.hypot(*v) for v in zip(end["vx"], end["vy"], end["vz"]))


def limits(case, stones, friction, least, margin):
    what = f"{stones} stones, friction {friction:g}"
    for part, stands in ((1 + margin, True), (1 - margin, False)):
        run = case.run(rigid(stones, part * least, friction), f"{stones}_{friction:g}_{part:g}", timeout=120)
        end = run.history("final.csv")
        if stands:
            case.at_most(f"{what}, {part:g} of the least thickness: largest speed after {FALL:g} s [m/s]", speed(end), STILL, "equilibrium exists")
        else:
            crown = RADIUS * math.sin((stones // 2 + 0.5) * math.pi / stones)
            case.at_least(f"{what}, {part:g} of the least thickness: the highest stone falls by [m]", crown - largest(end["z"]), FALLEN,
                          "no equilibrium exists")


def compare(case):
    for row in LEAST:
        limits(case, *row)
    stones, _, least, _ = LEAST[1]
    deck = compliant(stones, (1 + MARGIN) * least)
    found = case.run({**deck, "analysis": "quasi-static", "time": {"end": 1, "step": 1}}, "quasi_static")
    case.at_most("quasi-static: load steps to equilibrium", found.report["steps"], 1, "equilibrium exists")
    deck["bodies"] = [{"file": str((found.folder / "final.csv").resolve())}]
    run = case.run({**deck, "time": {"end": 1, "step": {"initial": 1e-4, "min": 1e-9, "max": 1e-2}}}, "dynamic", timeout=120)
    case.at_most("dynamic, from that equilibrium: largest speed after 1 s [m/s]", speed(run.history("final.csv")), 1e-4,
                 "at rest; resonances of joints with gaps of 1e-6 m")
