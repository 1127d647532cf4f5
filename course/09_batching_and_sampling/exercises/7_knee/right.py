"""Right answers to exercise 09.7, each by another mechanism."""

# %% from the largest size downwards, with the best so far
def read_knee(rows, num_blocks):
    def median(numbers):
        numbers = sorted(numbers)
        half = len(numbers) // 2
        return numbers[half] if len(numbers) % 2 else (numbers[half - 1] + numbers[half]) / 2

    books = {}
    for batch, throughput, running, blocks in rows:
        books.setdefault(batch, []).append((throughput, running, blocks))
    best, after, answer = 0, None, None
    for batch in sorted(books, reverse=True):
        rate = median(one[0] for one in books[batch])
        if best <= 1.1 * rate:
            if after is None:
                answer = batch, "not reached"
            elif max(one[2] for one in books[after]) == num_blocks:
                answer = batch, "blocks"
            elif median(one[1] for one in books[after]) < 0.9 * after:
                answer = batch, "load"
            else:
                answer = batch, "machine"
        best, after = max(best, rate), batch
    return answer

# %% numpy, a matrix of all ratios
import numpy as np

def read_knee(rows, num_blocks):
    table = np.array(sorted(rows), dtype=float)
    sizes = np.unique(table[:, 0])
    parts = [table[table[:, 0] == size] for size in sizes]
    rate = np.array([np.median(part[:, 1]) for part in parts])
    better = np.triu(rate[None, :] > 1.1 * rate[:, None], 1)
    place = int(np.argmin(better.any(1)))
    knee = int(sizes[place])
    if place == len(sizes) - 1:
        return knee, "not reached"
    after = parts[place + 1]
    if after[:, 3].max() >= num_blocks:
        return knee, "blocks"
    return knee, "machine" if np.median(after[:, 2]) >= 0.9 * sizes[place + 1] else "load"

# %% itertools.groupby and an iterator over pairs
import itertools

def read_knee(rows, num_blocks):
    lines = []
    for size, group in itertools.groupby(sorted(rows), key=lambda row: row[0]):
        _, rates, running, blocks = zip(*group)
        lines.append((size, statistics.median(rates), statistics.median(running), max(blocks)))
    ceiling = [max(line[1] for line in lines[n:]) for n in range(len(lines))]
    for line, after, most in itertools.zip_longest(lines, lines[1:], ceiling[1:]):
        if after is None:
            return [line[0], "not reached"]
        if most <= line[1] * 1.1:
            words = {"blocks": after[3] >= num_blocks, "load": after[2] < 0.9 * after[0], "machine": True}
            return [line[0], next(word for word, fits in words.items() if fits)]

# %% recursion over the sizes that are left
def read_knee(rows, num_blocks):
    smallest = min(row[0] for row in rows)
    rest = [row for row in rows if row[0] > smallest]
    if not rest:
        return smallest, "not reached"

    def of(size, column):
        return statistics.median(row[column] for row in rows if row[0] == size)

    if any(of(size, 1) > 1.1 * of(smallest, 1) for size in {row[0] for row in rest}):
        return read_knee(rest, num_blocks)
    following = min(row[0] for row in rest)
    if any(row[3] >= num_blocks for row in rest if row[0] == following):
        return smallest, "blocks"
    return smallest, "load" if of(following, 2) / following < 0.9 else "machine"
