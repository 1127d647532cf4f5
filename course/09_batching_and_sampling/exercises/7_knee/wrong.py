"""Wrong answers to exercise 09.7: why each is rejected, whether it passes the lab's example, its story."""

# %% wrong-knee | visible: no | the largest throughput
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% the-maximum | visible: yes | one percent more is more
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.06 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% stops-at-a-dent | visible: yes | compares with the next size only
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if found[larger[0]][0] <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% takes-the-order | visible: yes | takes the rows in the order in which they come
def read_knee(rows, num_blocks):
    sizes = list(dict.fromkeys(batch for batch, *_ in rows))
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% no-median | visible: yes | the mean of the measurements
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.mean(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% no-median | visible: yes | the last measurement of each size
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = rates[-1], statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% no-median | visible: yes | the best measurement of each size
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = max(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% no-median | visible: yes | the upper one of the two in the middle
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = sorted(rates)[len(rates) // 2], statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% no-median | visible: yes | the mean of how many ran
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.mean(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% not-reached | visible: yes | the last size is a knee like any other
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "blocks" if found[size][2] >= num_blocks else "machine"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% misses-the-blocks | visible: yes | asks for the load before the blocks
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if running < 0.9 * larger[0]:
                return size, "load"
            return size, "blocks" if blocks >= num_blocks else "machine"

# %% misses-the-blocks | visible: yes | the median of the blocks
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), statistics.median(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% misses-the-blocks | visible: yes | looks at the knee, not at what comes after it
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[size]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * size else "machine"

# %% wrong-size | visible: yes | looks at the largest size
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[-1]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[-1] else "machine"

# %% misses-the-load | visible: yes | a batch is full only when every place is taken
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.95 * larger[0] else "machine"

# %% misses-the-load | visible: yes | never asks whether requests came
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "machine"

# %% changes-its-input | visible: no | sorts the rows where they lie
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    rows.sort(reverse=True)
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% no-median | visible: yes | collects the rows in a dictionary that is made once, as a default
def read_knee(rows, num_blocks, books={}):
    for row in rows:
        books.setdefault(row[0], []).append(row)
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*books[size])
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% wrong-shape | visible: no | returns the knee
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size
            return size

# %% takes-the-order | visible: yes | the next larger size is twice the knee
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found.get(2 * size, found[larger[0]])
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"

# %% no-median | visible: yes | the most that ever ran
def read_knee(rows, num_blocks):
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), max(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"
