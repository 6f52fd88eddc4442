"""Bringing receipts into a hologram: many passes, appended together, none of them twice."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holodesk.contract.present import assemble
from holodesk.errors import HolodeskError, Place, Refused
from holodesk.hologram import chain, kinds
from holodesk.hologram.chain import Hologram
from holodesk.hologram.perform import Runner
from holodesk.host import clock
from holodesk.host.desk import Desk
from holodesk.host.receipts import Receipt, Run, read_receipts, runs_of
from holodesk.host.settings import Settings
from holodesk.portal.loop import Pass, Surroundings
from holodesk.rapp.frame import Frame

TOGETHER: Final = 128
"""Frames appended in one transaction."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What an import came to."""

    appended: int
    known: int
    runs: tuple[Run, ...]
    hologram: Hologram


def import_run(
    path: Path,
    folder: Path,
    settings: Settings,
    runner: Runner,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Brought:
    """Append every receipt of the gap-free runs that the chain does not hold yet.

    Raises:
        Refused: a broken file, a desk that is no game run, or a pass that is refused; what was
            acknowledged before stays.
        Held, Unavailable: as opening a desk to write.
    """
    runs = runs_of(read_receipts(path))
    wanted = [receipt for run in runs if not run.why_not for receipt in run.receipts]
    held: set[str] = set()

    def seen(frame: Frame, hologram: Hologram) -> None:
        record = _record(frame)
        if record is not None:
            held.add(record)

    with Desk(folder, settings, program="import-run", seen=seen) as desk:
        if desk.hologram.schema != "gamerun/1":
            told = f"expected a gamerun/1 object, found {desk.hologram.schema or 'no schema'}"
            raise Refused("LH 4.1", told, Place(file=folder.name))
        missing = [receipt for receipt in wanted if receipt.record_id not in held]
        _append(desk, missing, runner, progress)
        return Brought(len(missing), len(wanted) - len(missing), runs, desk.hologram)


def _append(
    desk: Desk,
    missing: list[Receipt],
    runner: Runner,
    progress: Callable[[int, int], None],
) -> None:
    if not missing:
        return
    offered = desk.offering().lenses
    present = assemble(desk.hologram, ())
    hologram, waiting = desk.hologram, list[Frame]()
    for number, receipt in enumerate(missing, 1):
        try:
            around = Surroundings(offered, present, {}, clock.now())
            made = Pass.open(hologram, around, runner, desk.pen).choose(
                receipt.choice, receipt.observed
            )
            for frame in made:
                hologram = chain.step(hologram, frame).hologram
        except HolodeskError as problem:
            desk.append(tuple(waiting))  # the passes before it were judged, and stay
            if problem.where.seq is None:
                problem.where = Place(file=receipt.record_id[:23])
            raise
        waiting += made
        if len(waiting) >= TOGETHER or number == len(missing):
            desk.append(tuple(waiting))
            waiting.clear()
            progress(number, len(missing))


def _record(frame: Frame) -> str | None:
    """The record_id of a press that came from a receipt, or None."""
    if frame.kind != kinds.TILE:
        return None
    facts = frame.payload["slush_in"].get("facts")
    observed = facts.get("observed") if isinstance(facts, dict) else None
    record = observed.get("record") if isinstance(observed, dict) else None
    return record if isinstance(record, str) else None
