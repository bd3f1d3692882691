"""Scree, an implicit multibody solver for granular matter.

    import scree
    with scree.Simulation("deck.json") as sim:     # or a dict with what a deck has
        while sim.time < 1.5:
            sim.step()
        print(sim.bodies.position, sim.contacts.force)
    results = scree.open("results/box_of_blocks")  # what the program wrote
    print(results[-1].bodies["x"])

SI units throughout. Where something is collective, all ranks of the communicator have to call it. A simulation writes no
files: the outputs of its deck are those of the program. One thread of a process may use the module at a time.
"""
import json
import math
import os
import pathlib
import re
import typing

__all__ = ["Simulation", "Snapshot", "StepReport", "Bodies", "Table", "Results", "Diagnostic", "Error", "InputError",
           "RunError", "Participant", "Accelerator", "ForcePredictor", "check", "open", "read_deck"]


class Diagnostic(typing.NamedTuple):
    """One thing to say of a deck: severity ("error", "warning" or "note"), where (file and JSON pointer), message."""
    severity: str
    where: str
    message: str

    def __str__(self):
        text = f"{self.where}: {self.message}" if self.where else self.message
        return text if self.severity == "error" else f"{self.severity}: {text}"


class Error(Exception):
    """What Scree raises by itself."""


class InputError(Error, ValueError):
    """A deck, or a file that it names, is wrong. diagnostics: everything that is, as a list of Diagnostic."""

    def __init__(self, diagnostics):
        super().__init__("\n".join(str(one) for one in diagnostics))
        self.diagnostics = list(diagnostics)

    def __reduce__(self):
        return type(self), (self.diagnostics,)


class RunError(Error, RuntimeError):
    """A step cannot be solved, or something was asked of a simulation that was closed."""


def _plain(value):
    """Numbers and arrays of NumPy in a dict."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"deck: {value!r} is nothing that JSON has; expected dicts, lists, text, numbers, True, False or None")


def _not_finite(value, where):
    """A Diagnostic for each number of a deck that is not finite."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        yield Diagnostic("error", f"<dict>: {where}", f"got {value}; expected a finite number.")
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from _not_finite(member, f"{where}/{key}")
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(value):
            yield from _not_finite(item, f"{where}/{number}")


def _given(deck):
    """(path or text, whether it is the text)"""
    if isinstance(deck, (str, os.PathLike)):
        return os.fspath(deck), False
    if isinstance(deck, dict):
        try:
            return json.dumps(deck, default=_plain, allow_nan=False), True
        except ValueError:
            try:
                faults = list(_not_finite(deck, ""))
            except RecursionError:
                faults = [Diagnostic("error", "<dict>", "a dict or list in it contains itself; JSON cannot hold that.")]
            if not faults:
                raise
            raise InputError(faults) from None
    raise TypeError(f"deck: got {type(deck).__name__}; expected a path or a dict")


def _members(pairs):
    """The dict of a JSON object. Raises ValueError for a duplicate key."""
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for number, key in enumerate(keys) if key in keys[:number])
        raise ValueError(f"key \"{twice}\" is a duplicate in its object; expected once")
    return members


def check(deck, comm=None):
    """What `scree check` says of a deck (path or dict): a list of Diagnostic, empty if there is nothing to say.

    An error among them is alone with its like; warnings and notes are of a deck that can be run. Collective over comm.
    """
    return _compiled().check(*_given(deck), comm)


def read_deck(path):
    """A deck as a dict, to be changed and given to Simulation: JSON without its comments. Nothing is checked. Relative paths in
    it start in its folder, those in a dict in the current one. Raises OSError, or ValueError for what is no JSON, or has a duplicate key
    in an object."""
    text = pathlib.Path(path).read_text(encoding="utf-8-sig")
    # Text is kept as it is, whatever is in it.
    return json.loads(re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda found: found.group(1) or " ", text, flags=re.DOTALL),
                      object_pairs_hook=_members)


def open(folder):  # noqa: A001 (scree.open, as in the documentation)
    """The Results in the output directory of a run. Reads files on demand."""
    from .results import Results
    return Results(folder)


def _compiled():
    from . import _scree as compiled
    return compiled


def _table(columns):
    from .results import Table
    return Table(columns)


class _Views:
    """What shows the accepted state of a Simulation, or the state of a Participant that its class describes."""

    @property
    def bodies(self):
        """Bodies that this rank owns, see Bodies."""
        return super().bodies

    @property
    def contacts(self):
        """Contacts and bonds that this rank counts, as a Table with m rows: body_a, body_b (m,) ids, -1 - k for boundary k;
        point (m, 3) [m]; normal (m, 3) from b to a; gap (m,) [m]; normal_force (m,) on a along the normal [N]; friction (m, 3)
        on a [N]; force (m, 3), both together [N]; weight, share (m,), see docs/contact.md. Collective."""
        return _table(self._contacts())

    @property
    def boundaries(self):
        """Boundaries of the deck as a Table with k rows, the same on all ranks: name; position (k, 3) of the reference point
        [m]; orientation (k, 4) w, x, y, z, the turn since the start; velocity (k, 3) of that point [m/s]; angular_velocity
        (k, 3) [rad/s]; force (k, 3) by bodies on it [N]; moment (k, 3) about the origin [N m]. Collective."""
        return _table(self._boundaries())

    @property
    def energy(self):
        """Energies of all ranks as a dict [J]: translational, rotational, potential, contact, friction_elastic, bonds, near_field
        (what is stored); work_of_loads, work_of_boundaries, inflow, outflow (put in and taken out since the start); damping_loss,
        friction_loss, fluid_loss, bond_loss, let_go (dissipated); initial_total, reference; kinetic, total, dissipated and
        closure_error follow from these. lag: part of closure_error that weight makes in flight (contact dynamics). largest_error,
        smallest_error: extremes of closure_error - lag so far, at largest_error_at, smallest_error_at [s]."""
        return super().energy


def _make_simulation():
    compiled = _compiled()

    class Simulation(_Views, compiled.SimulationBase):
        """A simulation of a deck, at its start.

        deck: path, or a dict with what a deck has; relative paths in a dict start in the current folder.
        comm: communicator of mpi4py; None: all ranks of MPI. options_prefix: of its solvers in PETSc, "mine_" for
        -mine_ksp_type; None: "scree_", or another one where a simulation or participant that lives would share options of a deck.
        Options in the deck are written with scree_ all the same.

        Raises InputError with everything that is wrong with the deck, or for bodies that overlap at the start. Collective.
        """

        def __init__(self, deck, comm=None, *, options_prefix=None):
            super().__init__(*_given(deck), comm, options_prefix or "")

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.close()

        def __repr__(self):
            try:
                return f"<Simulation: t = {self.time:g} s of {self.end:g} s>"
            except RunError:
                return "<Simulation: closed>"

        def run(self, until=None, callback=None):
            """Steps to `until` [s], to the end of the run if None.

            callback(simulation) is called after each accepted step; where it returns something true the run stops. Returns
            the number of steps. Raises what step() raises, and ValueError if `until` is no number, or differs between ranks.
            Collective.
            """
            self._require_same_end(math.inf if until is None else until)  # a rank that is there already takes no step
            if until is not None and math.isnan(until):
                raise ValueError(f"run: got an end of {until}; expected a time [s]")
            steps = 0
            while not self.finished and (until is None or self.time < until * (1 - 1e-12)):
                self.step(until)
                steps += 1
                if callback is not None and callback(self):
                    break
            if self.finished:
                self._last_warnings = (self.time, self.report()["warnings"])
            return steps

        _last_warnings = (None, [])

        @property
        def warnings(self):
            """Warnings so far, those of the deck first: dicts with code, where, message and time [s]. What can only be judged
            at the end (created energy, overlap...) is among them when run() has come to the end of the run; report() has it
            at any time."""
            time, warnings = self._last_warnings
            return [dict(one) for one in warnings] if time == self.time and self.finished else super().warnings

    Simulation.__module__, Simulation.__qualname__ = "scree", "Simulation"
    return Simulation


def _make_participant():
    """The class Participant, with the parts that are easier in Python."""
    compiled = _compiled()

    class Participant(_Views, compiled.ParticipantBase):
        """One side of a coupling with another program: motion of surfaces in, contact forces out.

        deck: path or dict; its boundaries with "motion": "coupled" take part. force: "end" or "mean" of the step; with the
        integrator "energy" always the mean.
        outputs: whether accept() writes what the deck requests. options_prefix: as of Simulation. docs/howto/coupling.md.
        bodies, contacts, boundaries and energy show the state at the end of the last solve_step(), before accept() too; where it
        did not converge, that at the time it has reached; after restore() and save() the accepted one. ValueError before
        initialize().
        `with` ends the outputs; if an exception leaves it, those of a run that failed. Collective.
        """

        def __init__(self, deck, comm=None, *, force="end", outputs=False, options_prefix=None):
            if force not in ("end", "mean"):
                raise ValueError(f"force: got {force!r}; expected \"end\" or \"mean\"")
            super().__init__(*_given(deck), comm, force == "mean", outputs, options_prefix or "")

        def __enter__(self):
            return self

        def __exit__(self, kind, *_):
            (self.close if kind is None else self._abandon)()

    Participant.__module__, Participant.__qualname__ = "scree", "Participant"
    return Participant


def __getattr__(name):
    """The compiled part is loaded when it is needed: results are read without it."""
    if name == "Simulation":
        value = _make_simulation()
    elif name == "Participant":
        value = _make_participant()
    elif name in ("Snapshot", "StepReport", "Bodies", "Accelerator", "ForcePredictor"):
        value = getattr(_compiled(), name)
    elif name in ("Table", "Results"):
        from . import results
        value = getattr(results, name)
    else:
        raise AttributeError(f"module 'scree' has no attribute {name!r}")
    globals()[name] = value
    return value
