"""Small decks of all kinds for restarts.py: each with all outputs, and checkpoints in between."""
import copy
import json
import pathlib
import re

INPUTS = pathlib.Path(__file__).resolve().parent.parent / "inputs"


def shipped(name, end):
    """A deck of inputs/, shortened."""
    text = re.sub(r"(^|\s)//[^\n]*", "", (INPUTS / name).read_text(encoding="utf-8"))
    deck = json.loads(text)
    deck["time"]["end"] = end
    return deck


def with_outputs(deck, checkpoints=4, body=True):
    deck = copy.deepcopy(deck)
    end = deck["time"]["end"]
    deck["output"] = {"directory": "results", "vtk": {"every": end / 7}, "contacts": {"every": end / 5},
                      "histories": [{"file": "each.csv"}, {"file": "sparse.csv", "every": end / 9}],
                      "final_state": "final.csv", "checkpoint": {"every": end / checkpoints, "keep": 2}}
    if body:
        deck["output"]["histories"].append({"file": "sub/body.csv", "body": 0, "every": end / 20})
    return deck


def box_of_blocks():
    return with_outputs(shipped("box_of_blocks.json", 0.4))


def inlet():
    """An inlet, an outlet, a funnel; bodies that wait for room."""
    deck = shipped("hopper.json", 0.3)
    deck["outlets"][0]["region"]["max"][2] = 0.05
    deck = with_outputs(deck, 5, body=False)
    deck["output"]["histories"].append({"file": "drain.csv", "outlet": "drain"})
    return deck


def periodic():
    return with_outputs(shipped("inclined_flow.json", 0.25))


def bonded():
    """A block of bonded spheres hits the floor and breaks."""
    ball = {"shape": "ball", "material": "rock", "velocity": [0.1, 0, -3]}
    bodies = [{**ball, "position": [0.1 * i, 0.1 * j, 0.08 + 0.1 * k]} for i in range(3) for j in range(3) for k in range(4)]
    return with_outputs({
        "gravity": [0, 0, -9.81], "time": {"end": 0.06, "step": {"initial": 1e-4, "min": 1e-9, "max": 5e-4}},
        "materials": {"rock": {"density": 2000, "young": 1e7, "poisson": 0.25}},
        "shapes": {"ball": {"type": "sphere", "radius": 0.05}}, "bodies": bodies,
        "bonds": {"stiffness": 1e5, "within": 0.01, "break_force": 100},
        "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock"}],
        "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz", "restitution": 0.5},
                        "friction": {"static": 0.4, "dynamic": 0.3, "stiffness": "mindlin"}}]})


def energy():
    """Energy-consistent steps."""
    deck = shipped("box_of_blocks.json", 0.4)
    deck["integrator"] = {"type": "energy"}
    return with_outputs(deck)


def energy_inlet():
    deck = inlet()
    deck["integrator"] = {"type": "energy"}
    return deck


def drum():
    return with_outputs(shipped("rotating_drum.json", 0.25))


def superquadrics():
    deck = shipped("tablets.json", 0.05)
    deck["time"]["step"]["resolution"] = 1
    return with_outputs(deck, 3)


def rigid(method):
    deck = shipped("box_of_blocks.json", 0.4)
    deck |= {"analysis": "contact-dynamics", "solver": {"method": method},
             "interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid"}}]}
    deck["time"] = {"end": 0.4, "step": 0.005}
    deck["bodies"][0]["count"] = 25
    deck.pop("integrator", None)
    if method == "one-step":
        deck["interfaces"][0]["friction"] = {"static": 0.3, "dynamic": 0.3}
    return with_outputs(deck)


def quasi_static():
    deck = shipped("box_of_blocks.json", 1)
    deck |= {"analysis": "quasi-static", "shapes": {"block": {"type": "sphere", "radius": 0.05}}}
    deck["time"] = {"end": 1, "step": {"initial": 0.04, "min": 1e-3, "max": 0.04}}
    deck["bodies"][0]["count"] = 5
    deck["loads"] = [{"type": "force", "body": 0, "value": [15, 0, 0], "ramp": [[0, 0], [1, 1]]}]
    deck.pop("integrator", None)
    return with_outputs(deck, 20)


def factors():
    """More unknowns than PETSc's own factors are for."""
    deck = shipped("box_of_blocks.json", 0.25)
    deck |= {"shapes": {"block": {"type": "sphere", "radius": 0.03}}, "solver": {"linear": "direct"}}
    deck["bodies"][0]["count"] = 110
    return with_outputs(deck)


SCENES = {"box_of_blocks": box_of_blocks, "inlet": inlet, "periodic": periodic, "bonded": bonded, "drum": drum,
          "superquadrics": superquadrics, "two_step": lambda: rigid("two-step"), "one_step": lambda: rigid("one-step"),
          "quasi_static": quasi_static, "factors": factors, "energy": energy, "energy_inlet": energy_inlet}


def until(name, end):
    """One of the scenes, shortened: impacts multiply differences."""
    def make():
        deck = SCENES[name]()
        deck["time"]["end"] = end
        deck["output"] = {"directory": "results", "final_state": "final.csv", "checkpoint": {"every": end / 4, "keep": 9}}
        return deck
    return make


def stacks():
    """Quasi-static: blocks whose equilibrium is the only one, pushed with half of what friction holds."""
    deck = shipped("box_of_blocks.json", 1)
    deck |= {"analysis": "quasi-static"}
    deck["time"] = {"end": 1, "step": {"initial": 0.1, "min": 1e-3, "max": 0.1}}
    deck["bodies"] = [{"shape": "block", "material": "rock", "position": [0.1 + 0.12 * i, 0.25, 0.0505 + 0.1005 * k]}
                      for i in range(3) for k in range(3)]
    deck["loads"] = [{"type": "force", "body": 2, "value": [3, 0, 0], "ramp": [[0, 0], [1, 1]]}]
    deck.pop("integrator", None)
    deck["output"] = {"directory": "results", "final_state": "final.csv", "checkpoint": {"every": 0.25, "keep": 9}}
    return deck


# Decks of which other numbers of ranks continue, and the largest difference of a final coordinate [m]. They end before impacts have
# multiplied the differences: box_of_blocks, 1 and 2 ranks from the start, parts by 2e-13 m to 0.1 s, by 1e-4 m to 0.2 s, by 0.01 m to
# 0.3 s. Measured here: up to 6e-13 m, as from the start; what the tolerance of the solver (1e-6 of the forces) leaves differs by state.
OTHER_RANKS = {"bonded": (until("bonded", 0.06), 6e-14), "blocks": (until("box_of_blocks", 0.1), 1e-9),
               "hopper": (until("inlet", 0.15), 1e-9), "shear": (until("periodic", 0.2), 1e-9), "turning_drum": (until("drum", 0.125), 1e-9),
               "tablets": (until("superquadrics", 0.025), 1e-9), "rigid_two_step": (until("two_step", 0.1), 1e-9),
               "rigid_one_step": (until("one_step", 0.1), 1e-9), "stacks": (stacks, 1e-9)}
