"""Prefixes that are found again: a hash for each full block, and an index from hashes to blocks.

The hash of a block covers its tokens, all blocks before it (through its parent's hash), and whatever else its keys
and values depend on: model, adapter, first position, the images that lie in it, and the tenant's trust group. It is
keyed with a secret of this process, so that nobody outside can compute one. Only full blocks have a hash, and a hit
is believed only after the stored tokens were compared.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sharedstate.kvcache.blocks import BlockPool, BlockTable

Tag = tuple[object, ...]


@dataclass(frozen=True)
class Image:
    """A picture in a prompt: its content, the position of its first placeholder, and how many there are."""

    content: bytes
    start: int
    length: int

    def __post_init__(self) -> None:
        """Refuse what is no place in a prompt."""
        if type(self.content) is not bytes or self.start < 0 or self.length < 1:
            raise ValueError(f"An image is its bytes, a start of 0 or more and a length of 1 or more, not {self!r}.")


@dataclass(frozen=True)
class Factors:
    """What keys and values depend on besides the tokens.

    tenant is who is served: set by the server, not the client. state: a recurrent state that the request begins with.
    """

    model: str = ""
    adapter: str | None = None
    tenant: str | None = None
    first_position: int = 0
    state: bytes | None = None
    images: tuple[Image, ...] = ()

    def inside(self, start: int, stop: int) -> tuple[Tag, ...]:
        """Return the images that lie in positions start to stop, with content, place in the block and length."""
        return tuple(
            ("image", hashlib.sha256(image.content).digest(), image.start - start, image.length)
            for image in sorted(self.images, key=lambda image: (image.start, image.content))
            if image.start < stop and image.start + image.length > start
        )


def encoded(value: object) -> bytes:
    """Return bytes that no other value has: every part carries its type and its length.

    Takes None, int, str, bytes and tuples of these; raises TypeError for anything else (True is not 1).
    """
    if value is None:
        return b"n"
    if type(value) is int:
        return b"i%d;" % value
    if type(value) is str or type(value) is bytes:
        data = value.encode() if isinstance(value, str) else value
        return b"%s%d:%s" % (b"s" if isinstance(value, str) else b"b", len(data), data)
    if type(value) is tuple:
        return b"(%d:%s)" % (len(value), b"".join(map(encoded, value)))
    raise TypeError(f"A key is made of None, int, str, bytes and tuples, not {type(value).__name__}.")


class PrefixKeys:
    """Makes block hashes. Two with the same secret and groups make the same ones.

    groups: {tenant: trust group}; tenants of one group share prefixes, and a tenant without a group shares with
    nobody else. digest(key, data): how to hash, keyed BLAKE2b of 32 bytes unless given (for experiments).
    """

    def __init__(
        self,
        secret: bytes | None = None,
        groups: Mapping[str, str] | None = None,
        digest: Callable[[bytes, bytes], bytes] | None = None,
    ) -> None:
        """Take a secret of 1 to 64 bytes, or draw one."""
        self._secret = secrets.token_bytes(32) if secret is None else secret
        if type(self._secret) is not bytes or not 1 <= len(self._secret) <= 64:
            raise ValueError("A secret has 1 to 64 bytes.")
        self._groups, self._digest = dict(groups or {}), digest or _blake

    def tags(self, factors: Factors) -> Tag:
        """Return everything that holds for the whole request, each part with its name."""
        return (
            ("model", factors.model), ("adapter", factors.adapter), ("first position", factors.first_position),
            ("state", factors.state), ("salt", self._salt(factors.tenant)),
        )  # fmt: skip

    def root(self, factors: Factors) -> bytes:
        """Return the hash before the first block."""
        return self._digest(self._secret, encoded(self.tags(factors)))

    def next(self, parent: bytes, tokens: Sequence[int], inside: tuple[Tag, ...] = ()) -> bytes:
        """Return the hash of a full block: its parent's hash, its tokens, the images inside it."""
        return self._digest(self._secret, encoded((("parent", parent), ("tokens", tuple(tokens)), inside)))

    def chain(self, tokens: Sequence[int], block_size: int, factors: Factors | None = None) -> Chain:
        """Return the hashes of all full blocks of a prompt, ready to grow with the answer."""
        return Chain(self, block_size, tokens, factors or Factors())

    def _salt(self, tenant: str | None) -> Tag | None:
        """The group, or the tenant itself; tagged, so that no tenant can take a group's name."""
        if tenant is None:
            return None
        return ("group", self._groups[tenant]) if tenant in self._groups else ("tenant", tenant)


class Chain:
    """The block hashes of one request: `hashes[n]` stands for full block n and all before it.

    parts[n] is what was hashed for it besides its parent; the first one's has the request's own tags too.
    """

    def __init__(self, keys: PrefixKeys, block_size: int, tokens: Sequence[int], factors: Factors) -> None:
        """Begin with a prompt."""
        self.keys, self.block_size, self.factors = keys, block_size, factors
        self.root = keys.root(factors)
        self.tokens: list[int] = []
        self.hashes: list[bytes] = []
        self.parts: list[Tag] = []
        self.extend(tokens)

    def extend(self, tokens: Sequence[int]) -> None:
        """Append tokens: those of the prompt, or of the answer as they are written. Hash the blocks that are full."""
        self.tokens += tokens
        for start in range(len(self.hashes) * self.block_size, len(self.tokens) - self.block_size + 1, self.block_size):
            stop = start + self.block_size
            part, inside = tuple(self.tokens[start:stop]), self.factors.inside(start, stop)
            parent = self.hashes[-1] if self.hashes else self.root
            self.parts.append((part, inside, *(() if self.hashes else (self.keys.tags(self.factors),))))
            self.hashes.append(self.keys.next(parent, part, inside))


def _blake(key: bytes, data: bytes) -> bytes:
    return hashlib.blake2b(data, key=key, digest_size=32).digest()


@dataclass(eq=False)
class Entry:
    """A block that can be found: what was hashed for it, and the entry of the block before it (None for the first)."""

    block: int
    block_hash: bytes
    parent: Entry | None
    part: Tag


@dataclass(frozen=True)
class Hit:
    """What was found of a prompt: its first blocks, and how many tokens they hold."""

    blocks: tuple[int, ...]
    num_tokens: int


@dataclass
class Monitor:
    """Counts of an index. Tokens, not requests: a prompt of 1,000 tokens weighs more than one of 10."""

    asked: int = 0
    found: int = 0
    collisions: int = 0
    evicted: int = 0

    @property
    def hit_rate(self) -> float:
        """The share of all prompt tokens that were not computed anew, 0 to 1 (0 before the first prompt)."""
        return self.found / self.asked if self.asked else 0.0


class PrefixIndex:
    """Finds blocks by hash. It holds no reference: a block that nobody uses stays findable until it is given out."""

    def __init__(self, pool: BlockPool, keys: PrefixKeys | None = None) -> None:
        """Watch over a pool. Raises ValueError when another index does so already."""
        if pool.on_evict is not None:
            raise ValueError("This pool has an index already.")
        self.pool, self.keys, self.monitor = pool, keys or PrefixKeys(), Monitor()
        self._entries: dict[bytes, Entry] = {}
        self._hash_of: dict[int, bytes] = {}
        pool.on_evict = self._evicted

    def __len__(self) -> int:
        """How many blocks can be found."""
        return len(self._entries)

    def chain(self, tokens: Sequence[int], factors: Factors | None = None) -> Chain:
        """Return a prompt's hashes for this pool's block size."""
        return self.keys.chain(tokens, self.pool.block_size, factors)

    def match(self, chain: Chain) -> Hit:
        """Return the longest run of blocks from the start that hold this prompt; no reference is taken yet.

        At least one token is left to be computed, for its logits: a prompt of whole blocks does not hit its last.
        Take the references (BlockTable.adopt) before anybody can allocate.
        """
        blocks: list[int] = []
        last: Entry | None = None
        for number in range(max(0, len(chain.tokens) - 1) // self.pool.block_size):
            entry = self._entries.get(chain.hashes[number])
            if entry is None:
                break
            if not self.verified(entry, last, chain.parts[number]):
                self.monitor.collisions += 1
                break
            blocks.append(entry.block)
            last = entry
        found = len(blocks) * self.pool.block_size
        self.monitor.asked += len(chain.tokens)
        self.monitor.found += found
        return Hit(tuple(blocks), found)

    def publish(self, table: BlockTable, chain: Chain, computed: int) -> None:
        """Let the full blocks of a table be found, as far as their keys and values are written (`computed` tokens).

        Call it only after the write: what can be found may be read at once. A hash that is taken stays with its block.
        Raises ValueError for more computed tokens than the table has.
        """
        if not 0 <= computed <= table.num_tokens:
            raise ValueError(f"{computed} tokens computed, and the table has {table.num_tokens}.")
        last: Entry | None = None
        for number in range(min(computed // self.pool.block_size, len(chain.hashes))):
            block_hash, part = chain.hashes[number], chain.parts[number]
            entry = self._entries.get(block_hash)
            if entry is not None and entry.parent is not last and not self._alive(entry.parent):
                self.pool.forget(entry.block)  # its parent has gone, so nothing could lead to it
                entry = None
            if entry is None:
                entry = self._enter(table.blocks[number], block_hash, last, part)
            elif not self.verified(entry, last, part):
                return  # a collision: nothing behind it could be found
            last = entry

    def verified(self, entry: Entry, last: Entry | None, part: Tag) -> bool:
        """Is it this prompt's block, with the same blocks before it?"""
        return entry.parent is last and entry.part == part

    def saved_tokens(self) -> int:
        """Return how many tokens need no room of their own, because requests share blocks now."""
        return sum(max(0, count - 1) for count in self.pool.ref_cnt) * self.pool.block_size

    def check(self) -> None:
        """Raise AssertionError unless the index and the pool agree on what can be found."""
        assert set(self._hash_of) == self.pool.kept, "the pool keeps other blocks than the index finds"
        assert {e.block: h for h, e in self._entries.items()} == self._hash_of, "hashes and blocks do not match"

    def _enter(self, block: int, block_hash: bytes, parent: Entry | None, part: Tag) -> Entry:
        """Add an entry; a block's hash is set once, and what it stood for before is forgotten."""
        self.pool.forget(block)
        self.pool.keep(block)
        self._hash_of[block] = block_hash
        self._entries[block_hash] = entry = Entry(block, block_hash, parent, part)
        return entry

    def _evicted(self, block: int) -> None:
        del self._entries[self._hash_of.pop(block)]
        self.monitor.evicted += 1

    def _alive(self, entry: Entry | None) -> bool:
        return entry is None or self._entries.get(entry.block_hash) is entry


def fragmentation(tables: Iterable[BlockTable]) -> float:
    """Return the share of the tables' places that hold no token, 0 to 1: blocks that are shared count once."""
    blocks: dict[int, int] = {}
    size = 1
    for table in tables:
        size = table.pool.block_size
        for number, block in enumerate(table.blocks):
            blocks[block] = max(blocks.get(block, 0), min(size, max(0, table.num_tokens - number * size)))
    places = size * len(blocks)
    return 1 - sum(blocks.values()) / places if places else 0.0
