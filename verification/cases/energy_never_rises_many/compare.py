"""More seeds and more steps of energy_never_rises."""
import harness


def compare(case):
    harness.load("energy_never_rises").scan(case, range(1000, 1500), 2000, 1000000)
