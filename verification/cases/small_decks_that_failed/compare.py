"""Small decks that an earlier version computed wrongly, with the default and the named integrators."""
import math
import random

import harness

NAMED = ("newmark", "variational", "trapezoidal")
EXACT, RESOLVED = 1e-6, 0.01  # energy balance error over the reference energy: integrator "energy", the others
LIMIT = 120.0  # s of wall-clock time; most runs take less than 1 s
DROPS = ("block_falls_on_edge", "bounce_by_the_rule", "bounce_soft", "start_inside_threshold")
LIGHT = 299792458.0  # m/s
GROWTH = 1.4  # of a time step per step (theory 09 section 4)
SLIDES, OFF = 0.1222, 0.05  # m: Newmark's method, the variational and the trapezoidal one in steps of 0.1 ms; a dashpot is not a restitution
FINE = 1e-4  # s
ROUND_OFF, CARRIED = 1e-12, 1e-10  # of an undisturbed flight; of methods that carry the acceleration of a step to the next one
CREEPS = 5e-4  # m in six turns
ATTRACTION = 1e-3  # of the reference energy


def compare(case):
    for name in DROPS:
        for integrator in ("default", *NAMED):
            drop(case, name, integrator)
    for integrator in ("default", *NAMED):
        skimming(case, integrator)
    faster_than_light(case)
    sideways(case)
    hollow(case)
    drum(case)
    flat(case)
    slope(case)
    turntable(case)
    rough_links(case)
    folded_blocks(case)


def deck_of(case, name, integrator):
    """A deck of the folder; "default": as it stands."""
    deck = harness.read_deck(case.folder / f"{name}.json")
    return deck if integrator == "default" else {**deck, "integrator": {"type": integrator}}


def energies(case, run, what, bound):
    """Energy balance error at the end, and the largest amount by which the energy exceeded that of the balance."""
    energy = run.report["energy"]
    case.at_most(f"{what}: energy balance error, part of the reference energy", abs(energy["closure_error"]) / energy["reference"], bound,
                 f"{run.report['steps']} steps, {run.report['cuts']} rejected")
    case.at_most(f"{what}: largest energy above the balance, part of the reference energy", energy["largest_closure_error"] / energy["reference"],
                 bound, "damping and friction dissipate, work of boundaries is in the balance: no energy above it")


def drop(case, name, integrator):
    run = case.run(deck_of(case, name, integrator), f"{name}_{integrator}", timeout=LIMIT)
    energies(case, run, f"{name}, {integrator}", EXACT if integrator == "default" else RESOLVED)
    if name.startswith("bounce"):
        lost = run.report["energy"]["damping_loss"] + run.report["energy"]["friction_loss"]
        case.at_most(f"{name}, {integrator}: dissipated energy [J]", abs(lost), 0.0, "no damping and no friction: the cube continues to bounce")


def steps_without_contact(step, end):
    """Number of steps from `initial`, growing up to `max`, until `end`: the largest that the growth of the step allows."""
    time, size, count = 0.0, step["initial"], 0
    while time < end * (1 - 1e-12):
        time, size, count = time + size, min(GROWTH * size, step["max"]), count + 1
    return count


def skimming(case, integrator):
    deck = deck_of(case, "skimming", integrator)
    run = case.run(deck, f"skimming_{integrator}", timeout=LIMIT)
    energies(case, run, f"skimming, {integrator}", CARRIED if integrator in ("newmark", "trapezoidal") else ROUND_OFF)
    case.at_most(f"skimming, {integrator}: time steps", run.report["steps"], steps_without_contact(deck["time"]["step"], deck["time"]["end"]) + 1,
                 "no gap closes: growth and maximum step alone; one more, as the last two steps share the rest")


def faster_than_light(case):
    run = case.run(deck_of(case, "hang_sideways", "default"), "hang_sideways_default", timeout=LIMIT, accept=(0, 1, 2))
    case.true("hang_sideways: invalid velocity, exit status 2", run.status == 2, "the speed is above that of light")
    case.true("hang_sideways: the message names the velocity", "/bodies/0: velocity" in run.output, "docs/reference/messages.md")


def sideways(case):
    """The same direction at possible speeds: the run ends, and either its energy is right or it fails with a message."""
    for integrator in ("default", *NAMED):
        for part in (0.95, 1e-4):
            deck = deck_of(case, "hang_sideways", integrator)
            velocity = deck["bodies"][0]["velocity"]
            deck["bodies"][0]["velocity"] = [part * LIGHT / math.hypot(*velocity) * v for v in velocity]
            run = case.run(deck, f"sideways_{part:g}_{integrator}", timeout=LIMIT, accept=(0, 1))
            energy = run.report["energy"]
            what = f"hang_sideways at {part:g} of the speed of light, {integrator}"
            case.true(f"{what}: energy created is below 1 % of the reference energy, or exit status 1",
                      run.status == 1 or energy["largest_closure_error"] <= RESOLVED * energy["reference"],
                      f"exit status {run.status}, {run.wall_seconds:.0f} s; the barrier is far too soft for the impact")
            case.tell(f"{what}: exit status, steps, energy balance error", f"{run.status}, {run.report['steps']}, "
                      f"{energy['closure_error'] / energy['reference']:+.1e}")


def hollow(case):
    run = case.run(deck_of(case, "hollow_superquadric", "default"), "hollow_superquadric", timeout=LIMIT, accept=(0, 1))
    energies(case, run, "hollow_superquadric, default", EXACT)


def drum(case):
    run = case.run(deck_of(case, "superquadric_drum", "default"), "superquadric_drum", timeout=LIMIT)
    energies(case, run, "superquadric_drum, default", EXACT)


def flat(case):
    run = case.run(deck_of(case, "flat_superquadric_in_sphere", "default"), "flat_superquadric_in_sphere", timeout=LIMIT, accept=(0, 1))
    case.at_most("flat_superquadric_in_sphere: simulated time that is missing [s]", run.report["end"] - run.report["time"], 0.0,
                 f"{run.report['steps']} steps, {run.report['cuts']} rejected")


def slope(case):
    """The cube chatters on its edges and slides on, also where steps resolve that."""
    for integrator, step, off in (("newmark", FINE, 0.01), ("energy", FINE, OFF), ("energy", None, OFF)):
        deck = deck_of(case, "slope_with_restitution", integrator)
        how = f", {integrator}, steps of {FINE:g} s" if step else ""
        if step:
            deck["time"]["step"] = step
        run = case.run(deck, f"slope_with_restitution_{integrator}_{step}", timeout=LIMIT)
        end = run.history("final.csv")
        case.equal(f"slope_with_restitution{how}: way down the slope in 3 s [m]", math.hypot(end["x"][0], end["y"][0]), SLIDES,
                   "three integrators that resolve the contact", absolute=off)


def turntable(case):
    deck = deck_of(case, "stack_on_turntable", "default")
    run = case.run(deck, "stack_on_turntable", timeout=LIMIT)
    end = run.history("final.csv")
    angle = deck["boundaries"][0]["motion"]["angular_velocity"][2] * deck["time"]["end"]
    for number, body in enumerate(deck["bodies"], 1):
        radius = body["position"][0]
        x, y = end["x"][number - 1] - radius * math.cos(angle), end["y"][number - 1] - radius * math.sin(angle)
        case.at_most(f"stack_on_turntable: way of box {number} on the table in 6 turns [m]", math.hypot(x, y), CREEPS,
                     "friction holds 1.3 times the centrifugal force")


def rough_link(straight, bend, radius, around, across, noise):
    """A link of a chain: vertices and faces of a tube along two half circles and two straight lines, with a rough surface.
    @param straight half of the length of a line [m]. @param around, across vertices per half circle less one, and of a section."""
    chance = random.Random(1)
    line = [(side * straight + side * bend * math.cos(angle), side * bend * math.sin(angle), side * math.cos(angle), side * math.sin(angle))
            for side in (1, -1) for angle in (math.pi * (k / around - 0.5) for k in range(around + 1))]
    vertices = []
    for x, y, out_x, out_y in line:
        for j in range(across):
            angle, size = 2 * math.pi * j / across, radius + chance.uniform(-noise, noise)
            vertices.append([x + size * math.cos(angle) * out_x, y + size * math.cos(angle) * out_y, size * math.sin(angle)])
    faces = []
    for i in range(len(line)):
        for j in range(across):
            k, l = (i + 1) % len(line), (j + 1) % across
            faces += [[i * across + j, k * across + j, k * across + l], [i * across + j, k * across + l, i * across + l]]
    return {"type": "polyhedron", "vertices": vertices, "faces": faces}


def rough_links(case):
    """Two links hang between two that are fixed: many edges pass each other in a step, where contacts come to rest."""
    bodies = [{"shape": "link", "material": "steel", "position": [0.726 * k, 0, 0], "fixed": k in (0, 3),
               "orientation": {"axis": [1, 0, 0], "angle_deg": 90 * (k % 2)}} for k in range(4)]
    normal = {"law": "barrier", "threshold": 0.002, "stiffness": 2.375e16, "exponent": 3, "damping_ratio": 0.3}
    deck = {"gravity": [0, 0, -9.81], "time": {"end": 0.4, "step": {"initial": 1e-3, "min": 1e-9, "max": 0.01}},
            "materials": {"steel": {"density": 7680}}, "shapes": {"link": rough_link(0.25, 0.215, 0.1, 24, 40, 2e-3)},
            "bodies": bodies, "interfaces": [{"between": ["*", "*"], "normal": normal}], "output": {"directory": "results"}}
    energies(case, case.run(deck, "rough_links", timeout=LIMIT), "rough_links", EXACT)


def folded_block(side, height):
    """A block whose face at y = 0 is folded outward at the middle of a rim. @param side 1: the block is at y > 0, -1: at y < 0."""
    near = [[-0.4, 0, -0.05], [0.4, 0, -0.05], [0.4, 0, 0.05], [0, -side * height, 0.05], [-0.4, 0, 0.05]]
    vertices = near + [[x, 0.3 * side, z] for z in (-0.05, 0.05) for x in (-0.4, 0.4)]
    faces = [[0, 1, 3], [1, 2, 3], [0, 3, 4], [5, 7, 8], [5, 8, 6], [0, 4, 7], [0, 7, 5], [1, 6, 8], [1, 8, 2], [0, 5, 6], [0, 6, 1],
             [2, 8, 3], [3, 8, 7], [4, 3, 7]]
    return {"type": "polyhedron", "vertices": vertices, "faces": faces if side > 0 else [face[::-1] for face in faces]}


def folded_blocks(case):
    """Edges that take off more than there is: the bodies attracted each other."""
    deck = {"gravity": [0, 0, 0], "time": {"end": 0.02, "step": {"initial": 1e-5, "min": 1e-9, "max": 0.01}},
            "materials": {"stone": {"density": 2500}}, "shapes": {"a": folded_block(-1, 0.00062), "b": folded_block(1, 0.00057)},
            "bodies": [{"shape": "a", "material": "stone", "position": [0, 0, 0], "position_of": "mesh origin"},
                       {"shape": "b", "material": "stone", "position": [0.000623, 0.0015625, 3.75e-5], "position_of": "mesh origin",
                        "orientation": {"quaternion": [0.9999998556191608, -1.2474796605638246e-05, -0.0005363202954722687, 3.108983294573817e-05]}}],
            "interfaces": [{"between": ["*", "*"], "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e14, "damping_ratio": 0.3}}],
            "output": {"directory": "results"}}
    run = case.run(deck, "folded_blocks", timeout=LIMIT)
    energies(case, run, "folded_blocks", EXACT)
    energy = run.report["energy"]
    case.at_most("folded_blocks: energy of contacts below zero, part of the reference energy", -energy["attraction"] / energy["reference"], ATTRACTION,
                 "contacts only repel")
