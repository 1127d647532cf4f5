"""The exercises of lab 03, the shared random generator. Each lives in a module of its own; this one only names them."""

from __future__ import annotations

from sharedstate.checks.unit03_batch import OwnBatch
from sharedstate.checks.unit03_fold import FairFold
from sharedstate.checks.unit03_hunt import CollisionHunt
from sharedstate.checks.unit03_oracle import NoSortingAway
from sharedstate.checks.unit03_stateless import NumberK
from sharedstate.checks.unit03_workers import ForkSafe

EXERCISES = (OwnBatch(), CollisionHunt(), NumberK(), FairFold(), ForkSafe(), NoSortingAway())
