"""More seeds and more steps of energy_never_rises."""
import importlib.util
import pathlib


def compare(case):
    file = pathlib.Path(__file__).parent.parent / "energy_never_rises" / "compare.py"
    specification = importlib.util.spec_from_file_location("few_random_decks", file)
    few = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(few)
    few.scan(case, range(1000, 1500), 2000, 1000000)
