"""Bug by oracle, measured anew: who sees what, who is blind, and what the smallest workload is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
import torch

from sharedstate.faults.unit07 import BUGS
from sharedstate.kvcache import PackedCache, SlotCache, SlotEngine, gallery, oracles
from sharedstate.kvcache.attends import RIGHT, selected
from sharedstate.kvcache.cases import CASES
from sharedstate.kvcache.workloads import Workload, engine_of, play, reference
from sharedstate.model import attention_weights, causal_mask, checkpoints, seeded

# bug: what sees it every time, besides "alone", which sees all. Measured once, and here again.
SEEN = {
    "stale-length-mask": "neighbour, jacobian, owner tag, poison",
    "zeroed-wrong-mask": "owner tag, poison",
    "stale-offsets": "neighbour, jacobian, owner tag",
    "stale-offsets-new-arrival": "neighbour, jacobian, owner tag",
    "key-is-length": "neighbour, jacobian",
    "left-pad-no-mask": "jacobian",
    "left-pad-no-positions": "",
    "left-pad-neither": "jacobian",
    "right-pad-index-minus-one": "jacobian",
    "abort-length-kept": "neighbour, jacobian, owner tag, poison",
    "retry-not-rolled-back": "",
    "length-before-write": "owner tag, poison",
    "KV-01": "owner tag, poison",
    "KV-02": "neighbour, jacobian, poison, tokens",
    "PAD-01": "tokens",
    "OFF-02": "",
}


@pytest.fixture(scope="module")
def measured(bugs: Mapping[str, type]) -> gallery.Gallery:
    """The matrix, measured on one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    found = gallery.matrix(bugs)
    torch.set_num_threads(before)
    return found


def test_every_case_is_a_fault_and_says_the_same(bugs: Mapping[str, type]) -> None:
    assert list(CASES) == list(BUGS) == list(SEEN)
    assert {name: case.because for name, case in CASES.items()} == {n: bug.because for n, bug in BUGS.items()}


@pytest.mark.parametrize("name", SEEN)
def test_who_sees_a_bug_every_time(measured: gallery.Gallery, name: str) -> None:
    found = measured.certain(name)
    assert found == ("alone", *filter(None, SEEN[name].split(", ")))
    assert found == ("alone", *BUGS[name].oracles)


@pytest.mark.parametrize("name", SEEN)
def test_the_near_workload_is_silent(measured: gallery.Gallery, name: str) -> None:
    assert not measured.row(name).silent.sees
    assert measured.row(name).silent.value < 1e-6


def test_the_blind_spots_that_are_taught(measured: gallery.Gallery) -> None:
    assert measured.state("zeroed-wrong-mask", "neighbour") == gallery.BLIND
    assert measured.state("key-is-length", "owner tag") == gallery.BLIND
    assert measured.state("stale-offsets", "poison") == gallery.BLIND
    assert measured.blind("alone") == ()
    assert all(len(measured.blind(oracle)) > 2 for oracle in measured.oracles if oracle not in ("alone", "tokens"))


def test_tokens_are_no_oracle(measured: gallery.Gallery) -> None:
    often = [name for name in SEEN if measured.state(name, "tokens") == gallery.SEES]
    assert len(often) < 4
    assert all(0 <= measured.finding(name, "tokens").value <= 1 for name in SEEN)
    assert sum(measured.finding(name, "tokens").value < 0.5 for name in SEEN) >= 3


def test_every_oracle_is_quiet_on_the_right_engines(bugs: Mapping[str, type]) -> None:
    right = {n: PackedCache if issubclass(b, PackedCache) else SlotEngine for n, b in bugs.items()}
    found = gallery.matrix(right)
    assert [(b, o) for b in found.bugs for o in found.oracles if found.state(b, o) != gallery.BLIND] == []


def test_every_time_means_for_other_contents_too(bugs: Mapping[str, type], exhaustive: bool) -> None:
    exact = {name: oracle for name, oracle in oracles.ORACLES.items() if name != "tokens"}
    for name, case in CASES.items():
        for seed in range(1, 20 if exhaustive else 3):
            seen = {o: oracle(bugs[name], case.minimal, seed=seed).sees for o, oracle in exact.items()}
            assert (name, seen) == (name, {o: o in ("alone", *BUGS[name].oracles) for o in exact})
            assert not oracles.alone(bugs[name], case.silent, seed=seed).sees


def test_no_two_requests_begin_alike() -> None:
    workload = gallery.BUSY
    for seed in range(20):
        contents = workload.contents(seed)
        assert len({line[0] for line in contents.values()}) == len(contents)
        assert all(0 < token < 16 for line in contents.values() for token in line)


def test_float64_tells_bugs_from_rounding_by_far(bugs: Mapping[str, type]) -> None:
    for name, case in CASES.items():
        assert oracles.alone(bugs[name], case.minimal, torch.float64).value > 1e-2
        assert oracles.alone(bugs[name], case.silent, torch.float64).value < 1e-12


def test_the_matrix_as_text_and_as_data(measured: gallery.Gallery) -> None:
    lines = str(measured).splitlines()
    assert lines[0].split() == ["alone", "neighbour", "jacobian", "owner", "tag", "poison", "tokens"]
    assert len(lines) == 1 + len(SEEN)
    table = measured.table()
    assert table["zeroed-wrong-mask"]["neighbour"] is False
    assert table["stale-length-mask"]["poison"] is True
    assert table["OFF-02"]["tokens"].endswith(" of 20")


def test_a_part_of_the_matrix(bugs: Mapping[str, type]) -> None:
    found = gallery.matrix({"KV-01": bugs["KV-01"]}, ["alone", "neighbour"])
    assert (found.bugs, found.oracles) == (("KV-01",), ("alone", "neighbour"))
    with pytest.raises(KeyError, match=r"No bug 'KV-02' here. There are: KV-01"):
        found.row("KV-02")


@pytest.mark.parametrize(
    ("variants", "names"),
    [
        ({"KV-9": SlotEngine}, ["alone"]),
        ({}, ["alone"]),
        ({"KV-01": SlotCache}, ["luck"]),
        ({"KV-01": SlotCache}, []),
    ],
)
def test_what_is_no_case_or_no_oracle(variants: dict, names: list[str]) -> None:
    with pytest.raises(ValueError, match=r"No case|The oracles are"):
        gallery.matrix(variants, names)


# --- the smallest configuration, and where it is silent


@pytest.mark.parametrize("name", ["stale-length-mask", "zeroed-wrong-mask"])
def test_a_wrong_length_shows_as_soon_as_the_last_tenant_was_longer(bugs: Mapping[str, type], name: str) -> None:
    for old in range(1, 9):
        workload = replace(CASES[name].minimal, lengths={"old": old, "new": 5})
        assert oracles.alone(bugs[name], workload).sees is (old > 5)


@pytest.mark.parametrize(("sequences", "wrong"), [(2, ""), (3, "b"), (4, "bc")])
def test_who_is_wrong_when_the_first_of_several_ends(bugs: Mapping[str, type], sequences: int, wrong: str) -> None:
    names = "abcd"[:sequences]
    script = "; ".join([*(f"add {name}" for name in names), "finish a", f"step {' '.join(names[1:])}"])
    seen = ""
    for victim in names[1:]:
        workload = Workload(script, dict.fromkeys(names, 3), victim, slots=4)
        seen += victim if oracles.alone(bugs["stale-offsets"], workload).sees else ""
    assert seen == wrong


def test_no_offset_is_stale_when_the_last_one_ends(bugs: Mapping[str, type]) -> None:
    for victim in "ab":
        workload = Workload("add a; add b; add c; finish c; step a b", dict.fromkeys("abc", 3), victim, slots=4)
        assert not oracles.alone(bugs["stale-offsets"], workload).sees


@pytest.mark.parametrize(("length", "sees"), [(1, False), (2, True), (3, True)])
def test_a_key_that_is_the_length_needs_two_tokens(bugs: Mapping[str, type], length: int, sees: bool) -> None:
    workload = replace(CASES["key-is-length"].minimal, lengths={"a": length, "b": length})
    assert oracles.alone(bugs["key-is-length"], workload).sees is sees


@pytest.mark.parametrize("name", ["left-pad-no-mask", "left-pad-no-positions", "left-pad-neither"])
def test_one_column_of_padding_is_enough_and_none_is_not(bugs: Mapping[str, type], name: str) -> None:
    for gap in range(3):
        workload = replace(CASES[name].minimal, lengths={"a": 3 + gap, "b": 3})
        assert oracles.alone(bugs[name], workload).sees is (gap > 0)


def test_rotary_positions_need_the_mask_and_nothing_else(bugs: Mapping[str, type]) -> None:
    rotary = replace(CASES["left-pad-no-mask"].minimal, positions="rope")
    assert oracles.alone(bugs["left-pad-no-mask"], rotary).sees
    assert not oracles.alone(bugs["left-pad-no-positions"], rotary).sees


def test_an_abort_that_keeps_the_length_makes_one_prompt_of_two(bugs: Mapping[str, type]) -> None:
    workload = CASES["abort-length-kept"].minimal
    model, contents = workload.model(torch.float64), workload.contents()
    played = play(engine_of(bugs["abort-length-kept"], workload, model), workload, contents)
    joined = [*contents["a"][:3], *contents["b"][:3]]
    with torch.no_grad():
        both = model(torch.tensor([joined]))[0, -1]
    assert (played.outputs[-1] - both).abs().max() < 1e-12


def test_counting_before_writing_is_right_the_second_time_and_the_tags_see_it_still(bugs: Mapping[str, type]) -> None:
    case, variant = CASES["length-before-write"], bugs["length-before-write"]
    assert not oracles.alone(variant, case.silent).sees
    assert oracles.owner_tag(variant, case.silent).sees


def test_zero_keys_still_take_weight() -> None:
    generator = seeded(0)
    for _ in range(20):
        q, new = torch.randn(1, 4, 3, 16, generator=generator), torch.randn(1, 4, 3, 16, generator=generator)
        keys = torch.cat([torch.zeros(1, 4, 3, 16), new], dim=2)
        on_zeros = attention_weights(q, keys, causal_mask(3, 6))[..., :3].sum(-1)
        assert on_zeros.min() > 0.01


def test_a_trained_model_suffers_more(bugs: Mapping[str, type]) -> None:
    model, name = checkpoints.load("masked"), "stale-length-mask"
    workload = replace(CASES[name].minimal, lengths={"old": 12, "new": 5})
    contents = workload.contents()
    played = play(engine_of(bugs[name], workload, model), workload, contents)
    assert (played.outputs - reference(model, workload, contents, played)).abs().max() > 1.0
    played = play(engine_of(SlotEngine, workload, model), workload, contents)
    assert (played.outputs - reference(model, workload, contents, played)).abs().max() < 1e-4


# --- the poison


def test_a_huge_number_accuses_no_right_engine() -> None:
    for value in (1e30, 1e4):
        assert dict(gallery.false_alarms(value)) == dict.fromkeys(RIGHT, ())


def test_nan_accuses_right_engines() -> None:
    found = gallery.false_alarms(float("nan"))
    assert found["filled with -inf"] == ("values",)
    assert found["added -inf"] == found["torch's fused kernel"] == ("keys", "values")
    assert found["dead values selected away"] == found["valid columns only"] == ()


@pytest.mark.parametrize("kind", [SlotCache, PackedCache])
@pytest.mark.parametrize("victim", ["b", "c", "d", "e"])
def test_nobody_at_work_is_poisoned(kind: type[SlotCache], victim: str) -> None:
    workload = replace(gallery.BUSY, victim=victim)
    for attend in RIGHT.values():
        assert not oracles.poison(kind, workload, attend=attend).sees


@pytest.mark.parametrize("name", [name for name, seen in SEEN.items() if "poison" in seen and name != "KV-02"])
@pytest.mark.parametrize("way", RIGHT)
def test_the_poison_finds_the_bug_in_every_way_to_attend(bugs: Mapping[str, type], name: str, way: str) -> None:
    assert oracles.poison(bugs[name], CASES[name].minimal, attend=RIGHT[way]).sees


def test_the_ways_to_attend_agree() -> None:
    generator = seeded(1)
    q, k, v = (torch.randn(2, heads, size, 8, generator=generator) for heads, size in ((4, 3), (2, 5), (2, 5)))
    mask = torch.stack([causal_mask(3, 5)[None], causal_mask(3, 5)[None] & (torch.arange(5) > 1)])
    first, *others = (attend(q, k, v, mask) for attend in RIGHT.values())
    assert all((one - first).abs().max() < 1e-6 for one in others)


def test_leftover_nan_needs_scrubbing_or_a_selection(bugs: Mapping[str, type]) -> None:
    workload = CASES["KV-02"].minimal
    contents = workload.contents()
    plain = play(engine_of(bugs["KV-02"], workload, workload.model()), workload, contents).outputs
    chosen = play(engine_of(bugs["KV-02"], workload, workload.model(attend=selected)), workload, contents).outputs
    short = play(engine_of(SlotEngine, workload, workload.model()), workload, contents).outputs
    assert plain.isnan().all()
    assert torch.allclose(chosen, short, atol=1e-6)
    huge = play(engine_of(bugs["KV-02"], CASES["KV-02"].silent, workload.model()), CASES["KV-02"].silent, contents)
    assert torch.allclose(huge.outputs, short, atol=1e-6)


def test_a_skip_that_is_written_is_seen_in_the_bytes(bugs: Mapping[str, type]) -> None:
    workload = CASES["OFF-02"].minimal
    assert oracles.stray_writes(bugs["OFF-02"], workload) == ((1, 3),)
    assert oracles.stray_writes(SlotEngine, workload) == ()


# --- no false alarm at work (claims: 60 of 60 quiet)


def test_no_oracle_accuses_a_busy_right_engine(exhaustive: bool) -> None:
    for seed in range(20 if exhaustive else 1):
        for victim in "bcde":
            workload = replace(gallery.BUSY, victim=victim)
            heard = [name for name, oracle in oracles.ORACLES.items() if oracle(SlotEngine, workload, seed=seed).sees]
            assert heard == []


