# %% [markdown] tags=["core"]
# # 08 · Paged blocks
#
# *60 minutes, then lab 08.*
#
# The small hotel of unit 07 has a new rule. Nobody knows how many pages a guest will fill, so each one gets a room with a notebook of 2,048
# pages. Most leave after a hundred. The house is full, and almost every page is blank.
#
# A better hotel hands out **sheets of paper**, sixteen lines each, one when the last one is full. At the desk lies a list: *Alice has sheets 3, 9 and 4, in
# this order*. The sheets are **blocks**, the list is a **block table**. Two guests who begin with the same words may even have the same sheets in
# their lists. Until one of them begins to write.
#
# ## First by eye
#
# A pool of seven blocks of four places, and a null block that belongs to nobody. Alice writes six numbers, Bob three, and Alice three more.

# %% tags=["core", "setup"]
import hashlib, threading, torch  # noqa: E401
from dataclasses import replace
from sharedstate import figures, workspace
from sharedstate.devices import gpu_cell
from sharedstate.figures.blocks import views
from sharedstate.isolation import prove
from sharedstate.kvcache import NULL_BLOCK, BlockRows, BlockTable, PagedCache, PagedEngine
from sharedstate.kvcache import PrefixIndex, PrefixKeys, SlotEngine, uncached
from sharedstate.kvcache import block_cases, capacity, gpu_paged, house, keyhunt, races, savings, stories
from sharedstate.model import GPT, GPTConfig
from sharedstate.panels import block_panel, predict, reveal, sharing_panel
from sharedstate.wording import pairs
torch.set_num_threads(1)

# %% tags=["core", "stable"]
hotel = house.House()
hotel.write("alice", *range(10, 16)), hotel.write("bob", 20, 21, 22), hotel.write("alice", 16, 17, 18)
print("block_table", hotel.tables["alice"].blocks, " slot_mapping", hotel.tables["alice"].slot_mapping())
figures.block_map({"a null block, and seven": views(hotel)}, "Alice's last block lies behind Bob's")

# %% [markdown] tags=["core"]
# *Alice's nine tokens fill blocks 1 and 2 and begin block 4; block 3 is Bob's. A free block is white.*
#
# Token `i` lies in block `block_table[i // 4]`, at place `i % 4`. The **slot_mapping** says the same as one number, block × 4 + place. Blocks need not be
# neighbours, so no guest ever has to move.
#
# **Change one line and run again:** let Bob write first. Which numbers change, and who would have to be told?
#
# ## What a reservation wastes
#
# > **A popular text says:** "Reserving the maximum length for each request wastes most of the memory."

# %% tags=["core"]
predict("08.waste", "2,048 places are reserved, 140 used on average. How many fit in blocks of 16?", {
    "a": "Twice as many", "b": "Thirteen times as many", "c": "A hundred times as many"})

# %% tags=["core", "stable", "claim:41"]
drawn = {mix: capacity.lengths(mix) for mix in capacity.MIXES}
fit = {mix: capacity.held(some, 32_768, 16) for mix, some in drawn.items()}
used = {mix: f"{capacity.utilisation(some, capacity.longest):.0%}" for mix, some in drawn.items()}
display(figures.capacity_bars(fit, "Blocks gain most where requests are short"))
print("reserved memory that holds a token:", pairs(used))
reveal("08.waste", truth="b", measured=pairs(fit["mostly short"]), because={
    "a": "That is the gain for lengths that are even between 1 and 2,048.",
    "c": "2,048 for 140 is a factor of 15, and half a block each is lost again."})

# %% [markdown] tags=["core"]
# *Grey: each request reserves 2,048 places. Blue: it takes blocks of 16 as it grows. The memory is the same, 32,768 tokens.*
#
# **Verdict: true, but it depends on the mix.** If all requests are long, paging gains nothing.
#
# Why not give each request a piece of **exactly** its size? Then nothing inside a piece is wasted. But holes remain where somebody was:
#
# > **A popular text says:** "Contiguous memory fragments: a request is refused although enough is free."

# %% tags=["core", "stable", "claim:42"]
for way, size in (("exact pieces", None), ("blocks of 64", 64)):
    found = capacity.churn(block_size=size)
    print(f"{way}: {found.refused} of 3,000 refused though enough was free ({found.free_share:.0%})")
print("tokens copied until a request has 2,048:", pairs(capacity.copies_to(2048)))

# %% [markdown] tags=["core"]
# **Verdict: true.** These are two different wastes. Unused places inside what one has are **internal** fragmentation: the reservation. Free places that nobody
# can use are **external**: the holes. Blocks have no holes, since any block will do, and at most one unfilled block a request. And a piece that grows by
# reallocation pays in copies: doubling copies each token about once, and leaves up to half of its places empty.
#
# ## Which block size?
#
# > **A popular text says:** "Small blocks cost table memory, large ones waste space. Start with 16."

# %% tags=["core", "stable", "claim:43"]
curves = {mix: {n: capacity.waste(some, n) for n in capacity.SIZES} for mix, some in drawn.items()}
display(figures.size_sweep(curves, "Half a block each hurts short requests", "empty places", 16))
kv_bytes, entry = 2 * 32 * 8 * 128 * 2, 4           # a token of 32 layers; one entry of a table
print("table bytes for each KV byte:", pairs({n: f"{entry / (n * kv_bytes):.5%}" for n in (1, 16, 128)}))

# %% [markdown] tags=["core"]
# *The mean waste is (block size − 1) / 2 tokens a request, whatever its length. The dashed line is 16.*
#
# **Verdict: true, but the price of small blocks is not the table's bytes.** Those are nothing. It is the book-keeping: hashing, allocating, one entry after
# another (measured below). Try other mixes:

# %% tags=["core"]
block_panel(mix="mostly short", block_size=16)

# %% [markdown] tags=["core"]
# ## The same engine, with tables
#
# `PagedEngine` is unit 07's engine with another memory. It must give the same logits as slots, and as no cache at all.
#
# Two numbers have a special meaning. Entry **0** of a block table is the *null block*: rows of a batch have one width, and whatever lies behind the end of a
# table is 0. And in a slot_mapping, **−1** (`PAD_SLOT_ID`) means "write this token nowhere". Unit 07 showed what happens when −1 is computed with.
#
# > **A popular text says:** "An explicit map is safer than offsets."
#
# In unit 07 rows moved up, and somebody had to be told. Here nothing moves. But a *batch* is dense again: when a request ends, the last **row of the table** moves into
# its place. Reported of a real engine (OFF-01):

# %% tags=["core", "fault:OFF-01", "fix:OFF-01"]
class CopiesItsOwn(BlockRows):
    def move(self, source, target):
        own = [block for block in source if block != NULL_BLOCK]
        target[:len(own)] = own                   # the tail of the longer one stays

# %% tags=["core", "stable", "claim:49"]
model, prompt = GPT(GPTConfig(16, num_kv_heads=2), seed=0).double(), [3, 1, 4, 1, 5, 9, 2, 6, 5]
for engine in (PagedEngine, SlotEngine):
    off = (engine(model, 2, 24).add("alice", prompt) - uncached(model, prompt)[-1]).abs().max()
    print(f"{engine.__name__} equals uncached within 1e-12: {off < 1e-12}")
for rows in (CopiesItsOwn, BlockRows):
    row, eves, written = house.moved_row(rows)
    print(f"{rows.__name__}: bob's row {row}; padding hits {written}, eve's? {bool(written & eves)}")

# %% [markdown] tags=["core"]
# **Verdict: true.** "Nobody was told that I moved" cannot even be written down with a map. What can still go wrong is the map itself: a tail that names
# somebody's block. Its oracle is simple. What a request writes is a subset of what it owns, and every tail is null.
#
# ## Sharing, and the moment it must end
#
# Carol forks Alice's text: one question, two answers. Her table names the same blocks, and each block counts two references (`ref_cnt`).

# %% tags=["core"]
predict("08.copy", "Carol forks Alice's nine tokens (blocks of 4). Both write one. What is copied?", {
    "a": "All three blocks", "b": "One block", "c": "None: nobody writes into the past"})

# %% tags=["core", "handout", "stable"]
def fork(tokens, copies=True):
    hotel, seen = house.House(6, copies=copies), {}
    hotel.write("alice", *range(10, 10 + tokens))
    hotel.fork("alice", "carol")
    seen["forked"] = views(hotel)
    hotel.write("carol", 77), hotel.write("alice", 55)
    seen["both have written one token"] = views(hotel)
    return seen, hotel.pool.copies, hotel.read("carol")

seen, copies, reads = fork(9)
display(figures.block_map(seen, "Only the partly filled block is copied"))
reveal("08.copy", truth="b", measured=f"{copies} copy; carol reads {reads}", because={
    "a": "Full blocks are never written again: they stay shared.",
    "c": "The next token goes into the last block, beside the past."})

# %% [markdown] tags=["core"]
# *Above, all blocks are grey: two tables name them. Below, Carol's 77 lies in a copy of the last block, and Alice's 55 in the old one. The full blocks stay shared.*
#
# The word for this is **copy-on-write**. Is it always needed?
#
# > **A popular text says:** "Writing after a shared prefix needs copy-on-write."

# %% tags=["core", "stable", "claim:47"]
for tokens in (8, 9):
    copies, reads = fork(tokens)[1], fork(tokens, copies=False)[2][-1]
    print(f"after {tokens} tokens {copies} copies; carol wrote 77, and without a copy she reads {reads}")

# %% [markdown] tags=["core"]
# **Verdict: it depends.** If the shared part ends at a block's end, nobody writes in it, and nothing is ever copied. If it ends inside a block, the
# earlier writer loses: with different tokens, and from the second one on. With blocks of one token it cannot happen at all.
#
# **Change one line and run again:** give `fork` 12 tokens, then 11. Which of the two needs a copy?
#
# ## Found again
#
# A finished prompt's full blocks can serve the next request that begins alike. Each full block gets a **hash** over its tokens *and its parent's hash*. An
# index leads from hashes to blocks. Free blocks stay findable until somebody needs them.
#
# > **A popular text says:** "A prefix must match exactly."

# %% tags=["core", "fault:block-hash-no-parent", "fault:KEY-01", "fault:KEY-02", "fault:KEY-03", "fix:KEY-03"]
class OwnTokensOnly(PrefixKeys):
    def next(self, parent, tokens, inside=()):
        return super().next(b"", tokens, inside)  # the block, and not what stood before it

class Believes(PrefixIndex):
    def verified(self, entry, last, part):
        return True                              # the hash is equal. What else should one ask?

class NoParent(PagedEngine):
    def make_index(self, keys):
        return Believes(self.cache.pool, OwnTokensOnly(b"secret"))

class TokensOnly(PagedEngine):               # KEY-01: two adapters, one cache
    def key_factors(self, request):
        return replace(super().key_factors(request), adapter=None)

class NoPicture(PagedEngine):                # KEY-02: every picture is the same placeholder token
    def key_factors(self, request):
        return replace(super().key_factors(request), images=())

# %% tags=["core", "stable", "claim:44"]
index, thousand = capacity.filled_index(1000, 16), list(range(1000))
for prompt in (thousand, [7, *thousand], [*thousand[:500], 7, *thousand[501:]]):
    print(f"beginning {prompt[:3]}: {len(index.match(index.chain(prompt)).blocks)} of 62 blocks match")
wrong = {kind.__name__: stories.polluted(kind) for kind in (NoParent, PagedEngine)}
print("the same four blocks in twelve orders, requests polluted:", pairs(wrong))

# %% [markdown] tags=["core"]
# **Verdict: true**, and the hash must chain its parent. A hit should also be **verified**: compare the stored tokens. That stops a bad key too, at the price of the hit.
#
# Are tokens and parent all that K and V depend on? In unit 07 the key was too short. Here we do not wait for a collision; we **hunt** it. Change one field of a
# request after another, and compare: does the answer change? Does the key?

# %% tags=["core", "stable"]
for engine in (TokensOnly, NoPicture, PagedEngine):
    report = keyhunt.hunt_engine(engine, pairs=True)
    off = keyhunt.played(engine, report)
    print(engine.__name__, "collides in", report.fields or "nothing", f"and is off by {off:.1g}")
print(report)

# %% [markdown] tags=["core"]
# The last table is the right key's. It holds adapter, images with their place in the block, state, first position and model: **extra keys**, each with its name, so that
# adapter "x" and tenant "x" are two things. `tenant` alters no answer, and stands in the key all the same. Why? See *deeper* below.
#
# > **Popular texts say:** "The hit rate depends on the block size." "A shared prefix halves the time to the first token."

# %% tags=["core"]
predict("08.hit", "A shared prompt of 100 tokens, then 65 of one's own. Hit rate with blocks of 128?", {
    "a": "60 %, as with every block size", "b": "Half of that with blocks of 64", "c": "0"})

# %% tags=["core", "stable", "claim:45"]
for shared in (100, 1000):
    rates = {n: f"{capacity.hit_rate(shared, n):.0%}" for n in (1, 16, 64, 128)}
    print(f"{shared} shared tokens and 65 of one's own, hit rate by block size: {pairs(rates)}")
turns = {n: f"{capacity.conversation(n):.0%}" for n in (1, 2, 4, 8)}
print("of a conversation, by turns:", pairs(turns))
found = f"{capacity.hit_rate(100, 128):.0%}"
reveal("08.hit", truth="c", measured=found, because={"a": "Hits are rounded down to whole blocks.",
       "b": "100 equal tokens do not fill one block of 128: there is nothing to find."})

# %% tags=["core", "stable", "claim:53"]
extra = {ratio: capacity.private_overhead(int(1000 * ratio), 1000, 64) for ratio in (0.1, 0.3, 1, 3)}
costs = {ratio: f"+{share:.0%}" for ratio, share in extra.items()}
print("private copies cost, by P / U:", pairs(costs))

# %% tags=["core", "measured", "claim:46"]
saved = savings.first_token((0.25, 0.5, 0.75, 0.9))
figures.saving(saved, "The more of a prompt hits, the more time is saved")

# %% [markdown] tags=["core"]
# *A point on the dashed line saves exactly its share. Most points lie below it: looking up and putting together cost time, and the rest of the prompt still attends to
# all of the prefix.*
#
# **Verdicts: it depends, both.** A hit saves at most about its share: to halve the time, half of the prompt or more must hit. In a first turn nothing hits.
#
# **The memory:** private copies cost about P / U more, whatever that is in your house. "30 %" holds where the prefix is a third of the rest.
#
# ## Slips around the pool
#
# OFF-03: *check, then the checked value changes, then use*. A preempted request comes back; the scheduler plans its tokens, and only then finds its old
# blocks again. And beams fork at every step: once the new state was thrown away (COW-01), once only the state of one name was reordered (COW-02).

# %% tags=["core", "fault:OFF-03", "fix:OFF-03"]
def plan_then_look(index, tokens):
    table = BlockTable(index.pool)
    scheduled = len(tokens) - table.num_tokens               # the plan: nothing is cached
    table.adopt(index.match(index.chain(tokens)).blocks)     # ... and now eight tokens are
    return table.num_tokens, scheduled

def look_then_plan(index, tokens):
    table = BlockTable(index.pool)
    table.adopt(index.match(index.chain(tokens)).blocks)
    return table.num_tokens, len(tokens) - table.num_tokens

# %% tags=["core", "fault:COW-01", "fix:COW-01", "fault:COW-02", "fix:COW-02"]
def reorder(state, parents):
    return [list(state[parent]) for parent in parents]       # new rows: beam i goes on from its parent

def forgetful(state, parents):
    reorder(state, parents)                                  # COW-01: and who takes them?
    return state

def taken(state, parents):
    return reorder(state, parents)

def one_name(kept, parents):                             # COW-02: another model says "cache_params"
    if kept.get("past_key_values") is not None:
        kept = {**kept, "past_key_values": reorder(kept["past_key_values"], parents)}
    return kept

def every_name(kept, parents):
    return {name: reorder(state, parents) for name, state in kept.items()}

# %% tags=["core", "stable"]
for plan in (plan_then_look, look_then_plan):
    print(plan.__name__, "start + scheduled of 10:", sum(plan(house.preempted(), list(range(10)))))
beams, parents = [[10, 11], [20, 21], [30, 31]], [2, 0, 0]
for step in (forgetful, taken):
    print(step.__name__, "beam 0 goes on from beam 2:", step(beams, parents)[0] == beams[2])
for step in (one_name, every_name):
    found = step({"cache_params": beams}, parents)["cache_params"]
    print(step.__name__, "beam 0 goes on from beam 2:", found[0] == beams[2])

# %% [markdown] tags=["core"]
# ## Two threads at one allocator
#
# An allocator is a cache *and* a concurrent program. Four short pieces of one, as they are first written. Each looks harmless.

# %% tags=["core", "fault:alloc-check-then-act", "fix:alloc-check-then-act", "fault:alloc-lost-count", "fix:alloc-lost-count"]
class LooksThenTakes:
    def __init__(self):
        self.free, self.lock = [1, 2], threading.Lock()

    def allocate(self):
        block = self.free[0]                      # look ...
        self.free = self.free[1:]                 # ... and take
        return block

class TakesUnderLock(LooksThenTakes):
    def allocate(self):
        with self.lock:
            return super().allocate()

class CountsBare:
    def __init__(self):
        self.ref_cnt, self.lock = [0, 1], threading.Lock()

    def touch(self, block):
        self.ref_cnt[block] += 1

class CountsUnderLock(CountsBare):
    def touch(self, block):
        with self.lock:
            super().touch(block)

# %% tags=["core", "fault:alloc-free-while-mapped", "fix:alloc-free-while-mapped"]
class FreesWhatIsFound:
    def __init__(self):
        self.ref_cnt, self.free, self.lock = [0, 1], [], threading.Lock()

    def release(self, block):
        self.ref_cnt[block] -= 1
        if self.ref_cnt[block] == 0:              # nobody uses it ...
            self.free.append(block)               # ... now?

    def hit(self, block):
        if block in self.free:
            self.free.remove(block)
        self.ref_cnt[block] += 1
        return True

class FreesUnderLock(FreesWhatIsFound):
    def release(self, block):
        with self.lock:
            super().release(block)

    def hit(self, block):
        with self.lock:
            return super().hit(block)

# %% tags=["core", "fault:alloc-publish-first", "fix:alloc-publish-first"]
class PublishesFirst:
    def __init__(self):
        self.found, self.data = None, ["", races.NOTHING]

    def prefill(self, keys):
        self.found = 1                            # the hash leads to block 1
        self.data[1] = keys                       # and now it is written

    def reads(self):
        block = self.found
        return None if block is None else self.data[block]

class WritesFirst(PublishesFirst):
    def prefill(self, keys):
        self.data[1] = keys
        self.found = 1

# %% tags=["core", "stable"]
prove(races.taking, LooksThenTakes, TakesUnderLock), prove(races.counting, CountsBare, CountsUnderLock)
leaving = prove(races.leaving, FreesWhatIsFound, FreesUnderLock)
prove(races.publishing, PublishesFirst, WritesFirst)
figures.interleaving(leaving["FreesWhatIsFound"].minimal, title="Bob has found it, and it is free again")

# %% [markdown] tags=["core"]
# *Alice has counted down to zero and is about to free the block. Bob finds it, counts it up. Then she frees it: free **and** mapped. Marked is the pair to blame.*
#
# All four are unit 01 again, with blocks instead of passcodes. The schedules are confirmed on real threads, and the repairs are proved.
#
# **Change one line and run again:** let `FreesUnderLock.hit` go without the lock. What does `prove` say?
#
# ## Two books, and all oracles
#
# A pool has two books: reference counts, and tables. **Conservation**: each block is free or counted, never both. **Two owners**: none is free and mapped, none is mapped more often than it
# is counted. Check both after every operation. Here are two more slips, and all oracles on all of them:

# %% tags=["core", "fault:share-no-copy", "fault:two-owners", "fault:publish-unwritten"]
class WritesInPlace(PagedCache):
    def make_pool(self, num_blocks):
        pool = super().make_pool(num_blocks)
        pool.writable = lambda block: block                  # "my own tail I may write"
        return pool

class ForksUncounted(PagedCache):
    def fork(self, slot, owner):
        child = super().fork(slot, owner)
        for block in self.tables[child].blocks:              # the list is copied ...
            self.pool.ref_cnt[block] -= 1                    # ... and nobody counts
        return child

class PublishesUnwritten(PagedEngine):
    def take_prefix(self, slot, prompt):
        left, table = super().take_prefix(slot, prompt), self.cache.tables[slot]
        table.append(len(left))                              # places for all, nothing in them yet
        self.index.publish(table, self.key_chain(self.cache.owner(slot), prompt), table.num_tokens)
        return left

# %% tags=["core", "stable"]
engines = WritesInPlace, NoParent, TokensOnly, NoPicture, ForksUncounted, PublishesUnwritten
display(figures.oracle_matrix(block_cases.matrix(engines)))
alarms = block_cases.matrix([PagedEngine] * 6).values()
print("alarms on the right engine:", sum(any(row.values()) for row in alarms))

# %% [markdown] tags=["core"]
# *A row is a bug, a column an oracle. Blue sees it, hatched is blind.*
#
# **Alone** sees them all. **Owner tags** are blind to a bad key: what is found is declared as shared. **Two owners** sees a broken book before any number is wrong. And *neighbour* sees what
# depends on others' tokens, here within rounding, because a hit that falls away changes shapes.
#
# ## The price, and the GPU
#
# Two monitors belong on the wall of every such house: the **hit rate** (by tokens), and **fragmentation** (places without a token). A paged step must gather its blocks. What does that
# cost here, and how much fits?

# %% tags=["core", "measured"]
spent = {n: round(savings.book_keeping(n), 1) for n in (1, 16, 128)}
print("ms of book-keeping, 4,096 tokens, by block size:", pairs(spent))
print(gpu_paged.paged(gpu_cell("paged")))

# %% [markdown] tags=["deeper"]
# ## Deeper: a key that can be computed, and a hit that can be heard
#
# KEY-03 (CVE-2025-25183): a chain began with Python's hash of `None`, a constant since 3.12, and integers hash to themselves. So anyone could compute
# keys at home, and search for a prompt with the same one. Here with 16 bits, so that the search takes a second. Take three things against it: a digest that
# nobody can collide, a secret root, and a look at the stored tokens.
#
# Then there is **time**. A hit is fast, so anyone who may ask can hear whether *somebody else* has asked the same. The key carries a **salt**, one for each
# group of tenants that trust each other. The server sets it: a client who could choose it would choose yours.

# %% tags=["deeper", "fault:KEY-03", "fix:KEY-03"]
def sixteen_bits(key, data):
    return hashlib.sha256(key + data).digest()[:2]

def public_keys():
    return PrefixKeys(b"the same in every process", digest=sixteen_bits)

def crafted(victim=(1, 2, 3, 4)):
    """Search at home for another block with the victim's hash."""
    keys = public_keys()
    wanted, root = keys.chain(victim, 4).hashes[0], keys.chain((), 4).root
    return next((5, n, 6, 7) for n in range(400_000) if keys.next(root, (5, n, 6, 7)) == wanted)

# %% tags=["deeper", "stable"]
block, secret = crafted(), PrefixKeys(b"drawn", digest=sixteen_bits)
ways = {"a constant root, hit believed": (public_keys(), Believes), "a secret root": (secret, Believes),
        "hit verified": (public_keys(), PrefixIndex), "32 bytes and a secret": (PrefixKeys(), Believes)}
for said, (keys, index) in ways.items():
    print(f"{said}: found of {block}:", keyhunt.attack(keys, index, block, (1, 2, 3, 4)), "tokens")
for said, groups in (("one group", {"ann": "all", "eve": "all"}), ("each alone", {})):
    heard = keyhunt.overheard(groups, (4, 0, 7, 1))
    print(f"{said}: Eve tries ten digits in the place of Ann's third, and hears a hit for {heard}")

# %% tags=["deeper"]
sharing_panel(groups="ann and bob are one group")

# %% [markdown] tags=["core"]
# *Three requests, the same first tokens. Grey blocks are shared. Change who trusts whom, and give Eve another adapter.*
#
# ## The line
#
# | must be shared | must be isolated |
# |---|---|
# | the pool and its free queue, under one lock | the block table of each request |
# | full blocks of a prefix, counted, never written again | the partly filled block: copy before you write |
# | the index, under a key that holds all that K and V depend on | what is not yet written: publish after the write |
# | hits within a group that trusts itself | hits across groups: a salt that the server sets |
#
# The three questions: *can it be split finer?* Yes, from slots to blocks. *How is it put together again?* By a table, and by hashes. *Does that cost less than it gains?* For short
# requests and equal beginnings by far; if all are long and different, no.
#
# ## Check yourself
#
# <details><summary>Your prompts are all 2,000 of 2,048 tokens long, and all differ. What does paging bring?</summary>Nothing but its price: no waste to save, no prefix to
# share.</details>
# <details><summary>When is a shared block copied?</summary>When one of its users is about to write into it: only the last, partly filled one.</details>
# <details><summary>Two adapters, one system prompt. May they share its blocks?</summary>No: K and V come from the adapter's weights. The key must hold it.</details>
# <details><summary>A block is free, and a table names it. Nobody complains. Is it a bug?</summary>Yes. It will have two owners as soon as it is given out.</details>
#
# ## The door to the lab
#
# The next cell makes your own copy of the lab; it never overwrites one that is there.

# %% tags=["core"]
workspace.door("08")
