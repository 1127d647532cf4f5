"""Right answers to exercise 08.2, each by another mechanism."""

# %% a condition that guards both books
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Condition()
        self.free = list(range(1, num_blocks))
        self.ref_cnt = [0] * num_blocks

    def allocate(self, count):
        with self.lock:
            if count > len(self.free):
                return None
            taken, self.free = self.free[:count], self.free[count:]
            for block in taken:
                self.ref_cnt[block] = 1
            return taken

    def share(self, blocks):
        with self.lock:
            for block in blocks:
                self.ref_cnt[block] += 1

    def release(self, blocks):
        with self.lock:
            for block in blocks:
                self.ref_cnt[block] -= 1
                if self.ref_cnt[block] == 0:
                    self.free.append(block)

    def num_free(self):
        return len(self.free)

# %% one dictionary of counts, free is what is not in it
import threading


class Allocator:
    def __init__(self, num_blocks):
        self.guard, self.num_blocks, self.used = threading.RLock(), num_blocks, {}

    def allocate(self, count):
        with self.guard:
            free = [block for block in range(1, self.num_blocks) if block not in self.used]
            if len(free) < count:
                return None
            for block in free[:count]:
                self.used[block] = 1
            return free[:count]

    def share(self, blocks):
        with self.guard:
            for block in blocks:
                self.used[block] += 1

    def release(self, blocks):
        with self.guard:
            for block in blocks:
                self.used[block] -= 1
                if not self.used[block]:
                    del self.used[block]

    def num_free(self):
        with self.guard:
            return self.num_blocks - 1 - len(self.used)
