"""What a desk is, as notices for the window: values only, each naming a verified head."""

from collections.abc import Mapping
from pathlib import Path

from holodesk.errors import HolodeskError, Rejected
from holodesk.hologram.controls import detail_json
from holodesk.host.desk import Desk
from holodesk.host.messages import (
    Body,
    BodyRoutine,
    ControlState,
    Folder,
    FolderFile,
    HeadMoved,
    Media,
    Offered,
    OfferedLens,
    Refusal,
    Row,
)
from holodesk.host.modelling import window_body
from holodesk.host.offering import Offering, shown_name
from holodesk.portal.offer import Offer
from holodesk.rapp.canonical import Json
from holodesk.reflex.segment import Begun
from holodesk.view.lineage import LineageRow
from holodesk.view.words import line


def head_moved(desk: Desk, kind: str, *, freshness: str, converged: bool) -> HeadMoved:
    """The whole state at a head."""
    hologram = desk.hologram
    head = hologram.head
    return HeadMoved(
        stream_id=head.stream_id,
        seq=head.seq,
        frame_hash=head.frame_hash,
        utc=head.utc,
        kind=kind.removeprefix("hologram."),
        object=hologram.object,
        object_seq=hologram.bearing_seq,
        controls=_controls(desk),
        frames=hologram.frames,
        tiles=hologram.tiles,
        signed=hologram.signed,
        freshness=freshness,
        writable=desk.writable,
        why_not=desk.why_not,
        converged=converged,
        desk=shown_name(desk.folder.name),
    )


def media(folder: Path, address: str) -> Media:
    """A body as the window draws it: thinner, so that it moves well. Raises as `window_body`."""
    return Media(address, *window_body(folder, address))


def _controls(desk: Desk) -> list[ControlState]:
    told = []
    for name, turned in desk.hologram.controls.items():
        detail = detail_json(name, turned.setting.detail)
        told.append(
            ControlState(
                name,
                turned.setting.value,
                detail if isinstance(detail, dict) else None,
                turned.since,
                turned.by,
                turned.utc,
            )
        )
    return told


def body(begun: Begun, seq: int) -> Body:
    """What a window needs to keep the body alive."""
    segment = begun.segment
    return Body(
        head=segment.head,
        seq=seq,
        came_from=segment.came_from,
        t0=segment.t0,
        budget=segment.budget,
        membrane=segment.membrane,
        facts=dict(segment.facts),
        routines=[
            BodyRoutine(
                routine.id,
                routine.program.source,
                routine.quota,
                routine.origin,
                routine.gate,
                list(draft.lineage),
                draft.fallback or "",
                draft.start.as_json(),
            )
            for routine, draft in zip(segment.routines, begun.drafts, strict=True)
        ],
        bodies={id: body.as_json() for id, body in segment.start.bodies.items()},
        states={id: dict(state) for id, state in segment.start.states.items()},
    )


def offered(offer: Offer) -> Offered:
    """An offer as the window shows it."""
    return Offered(
        seq=offer.head.seq,
        lenses=[
            OfferedLens(
                lens.name,
                lens.description,
                dict(lens.parameters),
                lens.is_self,
                rests(lens.parameters),
            )
            for lens in offer.lenses
        ],
        present=offer.present,
        slush=dict(offer.slush),
        resting=offer.resting,
    )


def rests(parameters: Mapping[str, Json]) -> dict[str, Json]:
    """The rest value of every field that names one."""
    fields = parameters.get("properties")
    if not isinstance(fields, dict):
        return {}
    return {
        name: field["x-rest"]
        for name, field in fields.items()
        if isinstance(field, dict) and "x-rest" in field
    }


def folder(offering: Offering) -> Folder:
    """What the lens folder held."""
    return Folder(
        [FolderFile(f.file, f.lens, f.status, line(f.reason, 400), f.line) for f in offering.files]
    )


def refusal(problem: HolodeskError, request: int = 0) -> Refusal:
    """A refusal as one sentence, its rule and place apart."""
    family = next(
        kind.__name__ for kind in type(problem).__mro__ if HolodeskError in kind.__bases__
    )
    problems = problem.problems if isinstance(problem, Rejected) else ()
    return Refusal(
        id=request,
        family=family,
        sentence=line(problem.message, 2000),
        rule=problem.rule,
        place=line(str(problem.where), 400),
        step=problem.step or "",
        problems=[line(each, 400) for each in problems[:100]],
        advice=problem.advice,
    )


def row(found: LineageRow) -> Row:
    """A lineage row."""
    return Row(
        found.seq,
        found.kind,
        found.utc,
        found.title,
        found.caller,
        found.summary,
        found.frame_hash,
        found.signed,
    )
