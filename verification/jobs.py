"""Runs many jobs on all cores, then those that run alone; each is a process that leaves a record. Standard library only."""
import dataclasses
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import time

import judging

POLL = 0.1  # s
SHORT = 120.0  # s: jobs that take less come first
GRACE = 10.0  # s that jobs get to end in order when all is stopped
FACTOR, LEAST = 6.0, 900.0  # a job is stopped after so many times what is expected, and not before so many s


@dataclasses.dataclass
class Job:
    """command: leaves its record in work/record.json; ends with 0, or 1 where rows miss. inputs: files and folders on which the
    record depends. alone: nothing runs beside it, because it measures time or takes all cores."""
    name: str
    command: list
    work: pathlib.Path
    inputs: list
    seconds: float  # expected
    alone: bool = False
    of: str = ""  # key() when it was started

    @property
    def file(self):
        return self.work / "record.json"

    @property
    def limit(self):
        """What takes longer hangs [s]."""
        return max(FACTOR * self.seconds, LEAST)

    def key(self):
        """Changes with the inputs and the command, but for --resume, which changes no result."""
        digest = hashlib.sha256(repr([str(word) for word in self.command if word != "--resume"]).encode())
        for place in self.inputs:
            place = pathlib.Path(place)
            files = sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]
            for path in files:
                if path.exists() and "__pycache__" not in path.parts:
                    digest.update(str(path).encode() + path.read_bytes())
        return digest.hexdigest()

    def finished(self):
        """The record, if one of the same inputs is there."""
        try:
            record = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return record if record.get("of") == self.key() else None

    def known_seconds(self):
        """What it took the last time, or what is expected."""
        try:
            return json.loads(self.file.read_text(encoding="utf-8"))["seconds"] or self.seconds
        except (OSError, ValueError, KeyError):
            return self.seconds

    def start(self):
        self.work.mkdir(parents=True, exist_ok=True)
        self.file.unlink(missing_ok=True)
        self.of = self.key()
        with open(self.work / "job.txt", "w", encoding="utf-8") as out:
            # A session of its own: Ctrl-C comes to us, and we stop all that the job has started.
            return subprocess.Popen([str(word) for word in self.command], stdin=subprocess.DEVNULL, stdout=out,
                                    stderr=subprocess.STDOUT, start_new_session=True)

    def record(self, ending, seconds):
        """The record that the job left, or one that says that it left none. It is marked as finished."""
        try:
            record = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            lost = judging.Comparisons(self.name, f"# {self.name}\n")
            output = (self.work / "job.txt").read_text(encoding="utf-8", errors="replace").splitlines()
            lost.rows.append(("the job", ending, "a record", False, " / ".join(output[-3:]), 1e300))
            record = lost.record()
        record["seconds"] = seconds
        record["of"] = self.of
        self.file.write_text(json.dumps(record), encoding="utf-8")
        return record


def stop(processes):
    """Ends process groups as Ctrl-C would, and those that do not heed it for good."""
    for number in (signal.SIGINT, signal.SIGKILL):
        for process in processes:
            if process.poll() is None:
                os.killpg(process.pid, number)
        end = time.monotonic() + GRACE
        while any(process.poll() is None for process in processes) and time.monotonic() < end:
            time.sleep(POLL)


def run_all(jobs, cores, resume, tell):
    """Runs all up to `cores` at a time, then those that run alone. Short ones come first, shortest first, so that most is known soon;
    then the longest first, so that no core waits for the last one. What exceeds its limit is stopped. tell(job, record, number,
    seconds left): called as each ends. Returns the records in the order in which jobs ended, and whether it came to the end:
    KeyboardInterrupt stops all that runs."""
    def turn(job):
        seconds = job.known_seconds()
        return job.alone, seconds > SHORT, seconds if job.alone or seconds <= SHORT else -seconds

    waiting = sorted(jobs, key=turn)
    records, running, count = [], {}, len(jobs)

    def left():
        """Those that run alone share the cores with none."""
        all_left = [*waiting, *(entry[0] for entry in running.values())]
        return sum(job.known_seconds() / (1 if job.alone else cores) for job in all_left)

    def end(job, record):
        records.append(record)
        tell(job, record, f"{len(records)}/{count}", left())

    try:
        for job in list(waiting) if resume else []:
            if (record := job.finished()) is not None:
                waiting.remove(job)
                end(job, record)
        while waiting or running:
            occupied = any(job.alone for job, _ in running.values())
            while waiting and len(running) < cores and not occupied and not (running and waiting[0].alone):
                job = waiting.pop(0)
                running[job.start()] = (job, time.monotonic())
                occupied = job.alone
            time.sleep(POLL)
            for process, (job, began) in list(running.items()):
                seconds = time.monotonic() - began
                ending = None if process.poll() is None else f"exit status {process.returncode}"
                if ending is None and seconds > job.limit:
                    stop([process])
                    job.file.unlink(missing_ok=True)  # of a part
                    ending = f"stopped after {job.limit:.0f} s"
                if ending is not None:
                    del running[process]
                    end(job, job.record(ending, seconds))
    except KeyboardInterrupt:
        stop(list(running))
        return records, False
    return records, True
