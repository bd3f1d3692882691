"""The balance of energy of the default integrator over random decks, judged at every accepted step."""
import csv

import harness
import judging
import random_energy

SEEDS = range(50)
STEPS = 400
TOLERANCE = 1e-7  # of the reference energy
LOSSES = ("damping_loss", "friction_loss", "fluid_loss", "bond_loss")
WORKS = ("work_of_loads", "work_of_boundaries")
COLUMNS = ["total_energy", "potential_energy", *LOSSES, *WORKS]


class Balance:
    """Extremes of the energy balance over the accepted states of a run, as parts of the reference energy so far."""

    def __init__(self, file):
        self.states, self.rise, self.fall, self.given_back, self.friction_given_back = 0, 0.0, 0.0, 0.0, 0.0
        with open(file, newline="", encoding="utf-8") as lines:
            rows = csv.reader(lines)
            if next(rows) != COLUMNS:
                raise harness.CaseError(f"{file}: other columns than {COLUMNS}")
            for row in rows:
                self._add(*map(float, row))

    def _add(self, total, potential, damping, friction, fluid, bond, loads, walls):
        dissipated = damping + friction + fluid + bond
        if self.states == 0:
            self._initial, self._reference, self._dissipated, self._friction = total, 0.0, dissipated, friction
        work = loads + walls
        self._reference = judging.largest((self._reference, self._initial + work - potential))
        error = total + dissipated - self._initial - work
        scale = self._reference if self._reference > 0 else 1.0  # 0: nothing has moved yet, and the error is in J
        self.rise = judging.largest((self.rise, error / scale))
        self.fall = judging.largest((self.fall, -error / scale))
        self._dissipated = judging.largest((self._dissipated, dissipated))
        self._friction = judging.largest((self._friction, friction))
        self.given_back = judging.largest((self.given_back, (self._dissipated - dissipated) / scale))
        self.friction_given_back = judging.largest((self.friction_given_back, (self._friction - friction) / scale))
        self.states += 1


def scan(case, seeds, steps, least):
    """Runs the decks of `seeds` and judges them together; at least `least` accepted steps are wanted."""
    failed, faulty, touched, accepted, balances = [], [], 0, 0, []
    for seed in seeds:
        name = f"seed_{seed}"
        deck, _ = random_energy.deck(seed, case.work / name, steps)
        deck["output"] = {"histories": [{"file": "energy.csv", "columns": COLUMNS}]}
        try:
            run = case.run(deck, name, timeout=120)
            balance = Balance(run.folder / "energy.csv")
        except harness.CaseError as error:
            failed.append(seed)
            print(error, flush=True)
            continue
        balances.append(balance)
        accepted += balance.states - 1
        touched += run.report["max_contacts"] > 0
        if not max(balance.rise, balance.fall, balance.given_back) <= TOLERANCE:  # finite: not a number fails the comparison
            faulty.append(seed)
    case.tell("seeds that failed", ", ".join(map(str, failed)) or "none")
    case.tell("seeds beyond the tolerance", ", ".join(map(str, faulty)) or "none")
    case.none(f"decks of {len(seeds)} that failed", len(failed), "exit status 0: no deck leaves bodies without space")
    case.at_least("accepted steps", accepted, least, "else too little is tested")
    case.at_least("part of the decks with contact", touched / len(seeds), 0.6, "likewise")

    def worst(name):
        return judging.largest(getattr(balance, name) for balance in balances)

    case.at_most("largest rise of energy above its bound, part of the reference energy", worst("rise"), TOLERANCE, "residual of Newton's method")
    case.at_most("largest loss of energy that is not listed, part of the reference energy", worst("fall"), TOLERANCE, "likewise")
    case.at_most("largest fall of the dissipated energy, part of the reference energy", worst("given_back"), TOLERANCE, "likewise")
    case.tell("largest fall of the loss by friction alone, part of the reference energy", f"{worst('friction_given_back'):.2g}")


def compare(case):
    scan(case, SEEDS, STEPS, 15000)
