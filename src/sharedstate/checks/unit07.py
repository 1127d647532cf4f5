"""The exercises of lab 07, slot pollution. Each lives in a module of its own; this one names them."""

from __future__ import annotations

from sharedstate.checks.unit07_lengths import OnlyWhatIsValid
from sharedstate.checks.unit07_map import MapInsteadOfOffsets
from sharedstate.checks.unit07_oracles import PickTheOracle
from sharedstate.checks.unit07_padding import PaddedBatch
from sharedstate.checks.unit07_rollback import AllOrNothing
from sharedstate.checks.unit07_tags import OwnerTags

EXERCISES = (
    OnlyWhatIsValid(), MapInsteadOfOffsets(), OwnerTags(), AllOrNothing(), PickTheOracle(), PaddedBatch(),
)
