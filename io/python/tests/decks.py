"""Decks for tests, and the program to compare with."""
import os
import pathlib
import subprocess

import scree

INPUTS = pathlib.Path(__file__).resolve().parents[3] / "inputs"


def deck(name, **top):
    """A deck of inputs/ as a dict; `top` replaces members of it."""
    return {**scree.read_deck(INPUTS / name), **top}


def shortened(name, end, **output):
    """The same to an earlier end [s], with other output."""
    made = deck(name)
    made["time"]["end"] = end
    made["output"] = {"directory": "results", **output}
    return made


def program(*arguments, folder):
    """The result of a call of scree in a folder."""
    return subprocess.run([os.environ["SCREE_PROGRAM"], *arguments], cwd=folder, capture_output=True, text=True, check=False)
