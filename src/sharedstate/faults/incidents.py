"""The public incidents of the course by id: what was seen, what kind of state it was, where it is told.

Each id is also the name of an entry of the fault table, in the unit that explains its mechanism. Unit 11 takes all
of them up again: a page of the lesson has the story and the smallest reproduction, `page` holds it beside the entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sharedstate.faults.report import walk

GITHUB = "https://github.com/"


@dataclass(frozen=True)
class Incident:
    """One incident: `kind` is the state that was shared, `seen` what somebody saw, `source` the public report."""

    name: str
    kind: str
    seen: str
    place: str

    @property
    def source(self) -> str:
        """The address of the report."""
        return GITHUB + self.place


INCIDENTS: tuple[Incident, ...] = (
    Incident("PY-01", "a connection", "one customer gets another's reply", "redis/redis-py/issues/2624"),
    Incident("PY-02", "an object", "a login fails with another login's data", "omab/python-social-auth/issues/221"),
    Incident("PY-03", "a thread", "a request sees the last one's user", "cherrypy/cherrypy/issues/309"),
    Incident("RNG-01", "a generator", "all workers augment alike", "pytorch/pytorch/issues/5059"),
    Incident("RNG-02", "a generator", "two threads draw one number", "python/cpython/pull/22928"),
    Incident("SAMP-01", "a generator", "a seed gives another text under load", "ggml-org/llama.cpp/pull/6835"),
    Incident("SAMP-02", "a generator", "the same choice at every step", "vllm-project/vllm-metal/pull/50"),
    Incident("MASK-01", "a mask", "every step returns one vector", "pytorch/pytorch/issues/103082"),
    Incident("MASK-02", "a mask", "a wonderful loss, useless texts", "karpathy/minGPT/issues/75"),
    Incident("MASK-03", "a mask", "the future leaks with dropout on", "keras-team/keras/issues/23038"),
    Incident("PAD-01", "a batch", "short prompts are mispredicted", "ndif-team/nnsight/pull/673"),
    Incident("INV-01", "a batch", "the text changes with the batch", "ggml-org/llama.cpp/pull/6950"),
    Incident("KV-01", "a slot", "the second prompt is answered oddly", "huggingface/transformers/pull/48809"),
    Incident("KV-02", "a slot", "NaN, although it is masked", "Dao-AILab/flash-attention/issues/2374"),
    Incident("OFF-01", "a table", "garbage when a neighbour finishes", "tenstorrent/vllm-tt-plugin/pull/103"),
    Incident("OFF-02", "a table", "padding overwrites the last slot", "vllm-project/vllm/issues/43810"),
    Incident("OFF-03", "a table", "an index error after preemption", "GeeeekExplorer/nano-vllm/pull/211"),
    Incident("KEY-01", "a key", "answers mix two adapters", "vllm-project/vllm/issues/3264"),
    Incident("KEY-02", "a key", "an answer about another picture", "sgl-project/sglang-omni/issues/258"),
    Incident("KEY-03", "a key", "a prompt is crafted to hit another's", "vllm-project/vllm/pull/12621"),
    Incident("COW-01", "a beam", "beams keep their old past", "awslabs/sockeye/pull/731"),
    Incident("COW-02", "a beam", "beam search is silently wrong", "huggingface/transformers/issues/46612"),
)


class IncidentDiffers(AssertionError):
    """A page's reproduction, or its entry of the fault table, is not as it must be; the text says which."""


def named(name: str) -> Incident:
    """Return the incident with this id; raises ValueError, which lists the ids."""
    found = next((one for one in INCIDENTS if one.name == name), None)
    if found is None:
        raise ValueError(f"No incident {name!r}. There are: {', '.join(one.name for one in INCIDENTS)}.")
    return found


def page(name: str, bug: bool, control: bool, fix: bool, runs: int = 1) -> None:
    """Print what the oracle says here, of the page's own reproduction, and what the entry of the fault table says.

    bug, control, fix: whether the page's oracle raised the alarm on each: it must on the bug alone. runs: how often
    the entry shows its bug. Raises IncidentDiffers when anything is otherwise, ValueError for an unknown id.
    """
    named(name)
    print(f"here      bug: {_word(bug)}   control: {_word(control)}   fix: {_word(fix)}")
    if (bool(bug), bool(control), bool(fix)) != (True, False, False):
        raise IncidentDiffers(f"{name}: the oracle must see the bug alone, not {bug}, {control}, {fix}")
    (entry,) = walk([name], runs)
    print(f"unit {entry.unit[:2]}   bug: {_word(entry.shown == entry.runs)}   control: {_word(not entry.control_clean)}"
          f"   fix: {_word(not entry.fix_clean)}")  # fmt: skip
    if not entry.ok:
        raise IncidentDiffers(f"{name}: its entry in the fault table is not as it must be. {entry.trouble}".strip())


def by_kind(incidents: Sequence[Incident] = INCIDENTS) -> dict[str, list[Incident]]:
    """Return the incidents by the kind of state that was shared, in their order."""
    kinds = dict.fromkeys(one.kind for one in incidents)
    return {kind: [one for one in incidents if one.kind == kind] for kind in kinds}


def _word(alarm: object) -> str:
    return "ALARM" if alarm else "quiet"
