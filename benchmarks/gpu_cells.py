"""The GPU cells of units 06 to 09 on one GPU, every fix checked; writes benchmarks/gpu_cells.json. Under 5 minutes.

Cached against uncached decode; a recycled slot polluted, and clean; the two stream bugs and their fixes; paged decode
and capacity at equal memory; the batch size of the knee. The wrong programs are those of the lesson's cells. Without a
GPU it says so, and neither measures nor writes anything.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import date
from typing import Any

from sharedstate import devices
from sharedstate.devices import CellRecord, Device, Record

UNIT = "07_slot_pollution"
FAULTS = ("zeroed-wrong-mask", "copy-host-overwritten", "copy-two-buffers", "copy-read-without-event",
          "copy-event-too-early")  # fmt: skip
# record's name, room of copies, programs that must be wrong in every run, programs that must be right in every run
STREAMS = (
    ("host_overwritten", "upload", ("one_buffer", "two_buffers"), ("waits", "waits_for_buffer")),
    ("read_without_event", "load", ("no_event", "event_before"), ("event_after",)),
)


def lesson_names() -> dict[str, object]:
    """Return what the lesson's cells define for these faults and their fixes."""
    from sharedstate.faults.lesson import load

    names: dict[str, object] = {}
    for fault in FAULTS:
        names |= load(UNIT, fault, fix=True).make()
    return names


def cells(device: Device, names: Mapping[str, Any], cuda: Any = None) -> dict[str, CellRecord]:
    """Run all cells. Raises CellFailed when a bug is not seen or a fix does not hold.

    names: the lesson's programs and engines; cuda: in place of torch.cuda, for tests.
    """
    from sharedstate.kvcache import gpu, gpu_paged
    from sharedstate.serving import gpu_knee

    polluted = (names["StaleLength"], names["ZeroedSlot"])
    found = {"decode": gpu.decode(device), "pollution": gpu.pollution(device, *polluted)}
    for name, room, broken, fixed in STREAMS:
        found[name] = stream_cell(device, room, {each: names[each] for each in (*broken, *fixed)}, broken, cuda)
    found["paged"] = gpu_paged.paged(device)
    found["knee"] = gpu_knee.sweep(device)
    return found


def stream_cell(
    device: Device, room: str, programs: Mapping[str, Any], broken: tuple[str, ...], cuda: Any = None
) -> CellRecord:
    """Run the programs of one room; `broken` must be wrong in every run, all others right in every run."""
    from sharedstate.kvcache import copies, gpu, streams

    outcomes = {name: streams.run(getattr(copies, room), each, device, cuda) for name, each in programs.items()}
    trouble = streams.complaints(outcomes, broken)
    if trouble:
        raise gpu.CellFailed(" ".join(trouble))
    says = "; ".join(outcome.said for outcome in outcomes.values())
    return CellRecord(says, {"runs": streams.RUNS, **{f"{name}_wrong": o.wrong for name, o in outcomes.items()}})


def record(device: Device, names: Mapping[str, Any] | None = None, cuda: Any = None) -> Record:
    """Run everything and return the record; write nothing."""
    found = cells(device, lesson_names() if names is None else names, cuda)
    return Record(device.title, date.today().isoformat(), devices.versions(), found)


def flat(found: Record) -> dict[str, Any]:
    """Return the record's figures as one flat object with its spread, as `bench` wants it."""
    figures: dict[str, Any] = {"device": found.device, "date": found.date, **found.versions}
    spread: dict[str, Any] = {}
    for name, cell in found.cells.items():
        figures |= {f"{name}_{key}": value for key, value in cell.figures.items()}
        spread |= {f"{name}_{key}": value for key, value in cell.spread.items()}
    return {**figures, "spread": spread}


def run() -> dict[str, Any]:
    """Run all cells on the GPU, write the record, return its figures; without a GPU, that nothing was recorded."""
    device = devices.pick()
    if not device.on_gpu:
        return {"outcome": devices.NOTHING, "spread": {}}
    found = record(device)
    devices.write(found)
    return flat(found)


def main() -> int:
    """Run all cells and say what came out; 1 when a check failed (then nothing is written), else 0."""
    from sharedstate.kvcache.gpu import CellFailed

    device = devices.pick()
    if not device.on_gpu:
        print(devices.NOTHING)
        return 0
    try:
        found = record(device)
    except CellFailed as failed:
        print(f"Nothing recorded: {failed}", file=sys.stderr)
        return 1
    devices.write(found)
    print(found.label, *(f"{name}: {cell.says}" for name, cell in found.cells.items()), sep="\n")
    print(f"Written to {devices.RECORD}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
