"""Janssen's law: the floor of a silo with rough walls carries a part of the weight that saturates with the fill."""
import math
import statistics

import grains
import harness
from judging import largest

FILLS, SEEDS = (190, 380, 760), (1, 2)  # grains: fill heights of about 1, 2, 4 silo diameters
D = 6 * grains.DIAMETER  # of the silo [m]
AREA = math.pi / 4 * D * D
GRAIN_FRICTION, WALL_FRICTION = 0.5, 0.2
YOUNG = 1e7
LOOSE = 0.5  # solid fraction of the generated grains
SETTLED, LOWERING, LOWERED, ROWS = 0.3, 0.4, 0.3 * grains.DIAMETER, 80  # [s], [s], [m]
SPREAD = 0.1  # of the diameters


def deck_of(folder, count, wall_friction, seed):
    """The floor is lowered at the end, so that all grains slide down along the wall and friction there is mobilised."""
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "lowering.csv"
    rows = [(SETTLED + LOWERING * k / ROWS, -LOWERED * (1 - math.cos(math.pi * k / ROWS)) / 2) for k in range(ROWS + 1)]
    table.write_text("time,x,y,z\n" + "".join(f"{t:.9g},0,0,{z:.9g}\n" for t, z in rows), encoding="utf-8")
    radius = grains.DIAMETER / 2
    top = count * 4 / 3 * math.pi * radius ** 3 * (1 + SPREAD ** 2) / (LOOSE * AREA)
    elastic = {"young": YOUNG, "poisson": grains.POISSON}

    def law(mu):
        rough = {"friction": {"static": mu, "stiffness": "mindlin"}} if mu > 0 else {}
        return {"normal": {"law": "hertz", "restitution": grains.RESTITUTION}, **rough}

    return {
        "gravity": [0, 0, -grains.GRAVITY],
        "time": {"end": 5.0, "step": {"initial": 1e-4, "min": 1e-8, "max": 0.01},
                 "stop": {"when": "at rest", "unbalanced_force": 1e-3}},
        "materials": {"grain": {"density": grains.DENSITY, **elastic}, "wall": elastic},
        "shapes": {"grain": {"type": "sphere", "radius": radius}},
        "bodies": [{"count": count, "seed": seed, "shape": "grain", "material": "grain",
                    "scale": {"uniform": [1 - SPREAD, 1 + SPREAD]},
                    "region": {"min": [-D / 2, -D / 2, (1 + SPREAD) * radius], "max": [D / 2, D / 2, top]}}],
        "boundaries": [
            {"name": "silo", "type": "cylinder", "material": "wall", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": D / 2,
             "inside": True},
            {"name": "floor", "type": "plane", "material": "wall", "point": [0, 0, 0], "normal": [0, 0, 1],
             "motion": {"table": str(table)}}],
        "interfaces": [{"between": ["*", "*"], **law(GRAIN_FRICTION)},
                       {"between": ["grain", "wall"], **law(wall_friction)}],
        "output": {"histories": [{"file": f"{name}.csv", "boundary": name, "every": 0.01} for name in ("silo", "floor")],
                   "contacts": {"every": 5.0}, "final_state": "final.csv"}}


class Bed:
    """A bed at rest. Forces in N, by the boundary histories; friction and pressure on the wall by the contact file."""

    def __init__(self, case, count, wall_friction, seed):
        self.name, self.friction = f"{count} grains, seed {seed}, wall friction {wall_friction:g}", wall_friction
        name = f"{count}_grains_seed_{seed}_friction_{wall_friction:g}"
        run = case.run(deck_of(case.work / name, count, wall_friction, seed), name)
        self.rests = run.report["at_rest"]
        histories = {name: run.history(f"{name}.csv") for name in ("floor", "silo")}
        self.floor, self.wall = (-histories[name]["fz"][-1] for name in ("floor", "silo"))
        self.first = -harness.column_until(histories["floor"], "fz", SETTLED)[-1]
        final = run.history("final.csv")
        scales = [float(shape.split("*")[1]) for shape in final["shape"]]
        one = grains.DENSITY * grains.GRAVITY * math.pi / 6 * grains.DIAMETER ** 3
        self.grains = [(z, one * scale ** 3) for z, scale in zip(final["z"], scales)]
        self.weight = sum(weight for _, weight in self.grains)
        touch = run.last_contacts()
        self.at_wall = [(z, fn, fz) for other, z, fn, fz in zip(*(touch[c] for c in ("body_b", "z", "fn", "ftz")))
                        if other == "silo"]
        self.mobilised = sum(fz for _, _, fz in self.at_wall) / (wall_friction * sum(fn for _, fn, _ in self.at_wall))
        middle = (2 * grains.DIAMETER, largest(z for z, _ in self.grains) - 3 * grains.DIAMETER)
        self.heavy = sum(weight for z, weight in self.grains if middle[0] < z <= middle[1]) / (AREA * (middle[1] - middle[0]))
        self.top = self.weight / (AREA * self.heavy) - LOWERED  # where the bulk density would end
        self.cost = f"{run.report['steps']}, {run.report['cuts']}, {run.core_seconds:.1f}"

    def stress(self, height):
        """Mean vertical stress [Pa]: weight of the grains above less the friction on the wall there."""
        return (sum(weight for z, weight in self.grains if z > height) - sum(fz for z, _, fz in self.at_wall if z > height)) / AREA

    def pressure(self, low, high):
        """Mean pressure [Pa] on the wall between two heights."""
        return sum(fn for z, fn, _ in self.at_wall if low < z <= high) / (math.pi * D * (high - low))

    def k_of(self, saturation):
        return self.heavy * AREA * D / (4 * self.friction * saturation)


def carried(weight, saturation):
    """Janssen: force on the floor under a fill of `weight`."""
    return saturation * -math.expm1(-weight / saturation)


def fitted(fills):
    """The saturation with the smallest squares of relative differences to [(weight, force on the floor)], by golden section."""
    def misfit(logarithm):
        return sum((carried(weight, math.exp(logarithm)) / force - 1) ** 2 for weight, force in fills)

    low, high = math.log(0.01 * fills[0][0]), math.log(100 * fills[0][0])
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if misfit(a) < misfit(b) else (a, high)
    return math.exp((low + high) / 2)


def judge_bed(case, bed):
    case.tell(f"{bed.name}: steps, rejected steps, CPU time [s]", bed.cost)
    case.true(f"{bed.name}: at rest", bed.rests, "stop criterion")
    case.equal(f"{bed.name}: force on floor and wall [N]", bed.floor + bed.wall, bed.weight, "static equilibrium", relative=1e-4)
    case.at_least(f"{bed.name}: friction along the wall, part of its limit", bed.mobilised, 0.9, "the grains slid down last")
    case.tell(f"{bed.name}: fill height over diameter; part of the weight on the floor before it is lowered, at the end",
              f"{bed.top / D:.2f}; {bed.first / bed.weight:.3f}, {bed.floor / bed.weight:.3f}")


def judge_pressure(case, beds, k):
    """Pressure on the wall of the tallest beds in slices of one diameter, against Janssen with the K of the floor forces."""
    limit = statistics.mean(bed.heavy for bed in beds) * D / (4 * WALL_FRICTION)
    steep = 4 * WALL_FRICTION * k
    measured = [statistics.mean(bed.pressure(bed.top - (below + 1) * D, bed.top - below * D) for bed in beds) / limit
                for below in range(4)]
    exact = [1 - (math.exp(-steep * below) - math.exp(-steep * (below + 1))) / steep for below in range(4)]
    case.tell("pressure on the wall in slices of one diameter from the top; Janssen; part of the limit",
              ", ".join(f"{p:.2f}" for p in measured) + "; " + ", ".join(f"{p:.2f}" for p in exact))
    case.equal("pressure on the wall, depth 2 to 4 diameters, part of the limit", statistics.mean(measured[2:]),
               statistics.mean(exact[2:]), "Janssen; single grains", relative=0.1)
    case.at_most("the same, fourth slice over second", measured[3] / measured[1], 1.7, "7/3 without friction, Janssen 1.5")
    depths = [0.1 * part for part in range(1, 42)]  # over D
    case.plot("Vertical stress in the tallest beds", "depth over diameter", "stress over bulk weight times diameter",
              [(f"seed {seed}", depths, [bed.stress(bed.top - depth * D) / (bed.heavy * D) for depth in depths], "curve")
               for seed, bed in zip(SEEDS, beds)]
              + [("Janssen", depths, [-math.expm1(-steep * depth) / steep for depth in depths], "points"),
                 ("no friction", depths[:15], depths[:15], "dashed")])


def judge_floor(case, fills, saturation):
    """fills: {count: beds}."""
    for count, beds in fills.items():
        parts = [bed.floor / bed.weight for bed in beds]
        weight = statistics.mean(bed.weight for bed in beds)
        case.equal(f"{count} grains: part of the weight on the floor, mean", statistics.mean(parts),
                   carried(weight, saturation) / weight, "Janssen with one K for all fills; single grains", relative=0.1)
    case.at_most("tallest beds: part of the weight on the floor", largest(bed.floor / bed.weight for bed in fills[FILLS[-1]]),
                 0.5, "the wall carries the rest")
    top = 1.1 * fills[FILLS[-1]][0].weight
    weights = [top * part / 50 for part in range(1, 51)]
    every = [bed for beds in fills.values() for bed in beds]
    case.plot("Force on the floor", "weight of the fill [N]", "force [N]",
              [("measured", [bed.weight for bed in every], [bed.floor for bed in every], "points"),
               ("Janssen", weights, [carried(weight, saturation) for weight in weights], "curve"),
               ("no friction", weights[:20], weights[:20], "dashed")])


def compare(case):
    fills = {count: [Bed(case, count, WALL_FRICTION, seed) for seed in SEEDS] for count in FILLS}
    smoother = Bed(case, FILLS[-1], WALL_FRICTION / 2, SEEDS[0])
    every = [bed for beds in fills.values() for bed in beds]
    for bed in [*every, smoother]:
        judge_bed(case, bed)
    saturation = fitted([(bed.weight, bed.floor) for bed in every])
    tall = fills[FILLS[-1]]
    k = statistics.mean(bed.k_of(saturation) for bed in tall)
    case.tell("saturation of the floor force [N]; bulk density [kg/m^3]",
              f"{saturation:.3f}; {statistics.mean(bed.heavy for bed in tall) / grains.GRAVITY:.0f}")
    case.at_least("K of the floor forces", k, 0.3, "literature")
    case.at_most("K of the floor forces, from above", k, 1.0, "literature")
    judge_floor(case, fills, saturation)
    case.equal("K with half the friction on the wall", smoother.k_of(fitted([(smoother.weight, smoother.floor)])), k,
               "a property of the bed; one bed", relative=0.15)
    judge_pressure(case, tall, k)
