"""The fault of unit 10: a ticket, two guests of a shop, and a name on self. Found by tags, and by all orders."""

from __future__ import annotations

from functools import partial

from sharedstate.faults.table import Fault, Names
from sharedstate.interleave import Scenario
from sharedstate.watch import Watch
from sharedstate.watch.turns import Turns

UNIT = "10_diagnosis"


def pages(names: Names, kind: str, moves: tuple[str, ...]) -> tuple[Watch, dict[str, object]]:
    """Let two guests ask a watched shop for their pages, in this order; return the log and the pages."""
    turns = Turns(moves)
    log = Watch(turns.before)
    shop = log.wrap(names[kind](), "shop")
    return log, turns.run(log, {name: partial(shop.page, name) for name in ("ann", "bob")})


def verdict(names: Names, kind: str) -> str:
    """Return the explorer's word on two guests."""
    guests = {name: lambda shop, name=name: shop.page(name) for name in ("ann", "bob")}
    room = Scenario(names[kind], guests, never=lambda shop, got: any(name not in got[name] for name in guests))
    return room.explore(witness=False).verdict


def mixed(names: Names) -> bool:
    """Ann gets Bob's page, and the tags name him; the explorer finds it as well."""
    log, got = pages(names, "Shop", ("ann", "bob*", "ann*"))
    named = {(finding.reader, finding.writer) for finding in log.findings} == {("ann", "bob")}
    return named and "bob" in str(got["ann"]) and verdict(names, "Shop") == "broken"


def in_turn(names: Names) -> bool:
    """One guest after the other: both get their own page, and no tag complains."""
    log, got = pages(names, "Shop", ("ann*", "bob*"))
    return not log.findings and all(name in str(page) for name, page in got.items())


def repaired(names: Names) -> bool:
    """The repaired shop is right in every order, and no tag complains in the one that hurt."""
    return not pages(names, "OwnName", ("ann", "bob*", "ann*"))[0].findings and verdict(names, "OwnName") == "proved"


FAULTS: tuple[Fault, ...] = (
    Fault("name-on-self", UNIT, "writer tags, and every guest's own name over all orders", "one guest after the other",
          "the name stays an argument (OwnName)", mixed, in_turn, repaired),
)
