"""Wrong answers to exercise 08.2: why each is rejected, whether it passes the lab's example, its story."""

# %% two-owners | visible: yes | no lock around the free list
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
        self.free = list(range(1, num_blocks))
        self.ref_cnt = [0] * num_blocks

    def allocate(self, count):
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

# %% two-owners | visible: yes | looks first and locks only to take
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
        self.free = list(range(1, num_blocks))
        self.ref_cnt = [0] * num_blocks

    def allocate(self, count):
        if count > len(self.free):
            return None
        with self.lock:
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

# %% lost-count | visible: yes | adding one needs no lock, does it
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
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

# %% two-owners | visible: yes | a new lock for every call
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
        self.free = list(range(1, num_blocks))
        self.ref_cnt = [0] * num_blocks

    def allocate(self, count):
        with threading.Lock():
            if count > len(self.free):
                return None
            taken, self.free = self.free[:count], self.free[count:]
            for block in taken:
                self.ref_cnt[block] = 1
            return taken

    def share(self, blocks):
        with threading.Lock():
            for block in blocks:
                self.ref_cnt[block] += 1

    def release(self, blocks):
        with threading.Lock():
            for block in blocks:
                self.ref_cnt[block] -= 1
                if self.ref_cnt[block] == 0:
                    self.free.append(block)

    def num_free(self):
        return len(self.free)

# %% lost-block | visible: yes | counts under the lock, and looks for zero after it
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
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
        for block in blocks:
            with self.lock:
                self.ref_cnt[block] -= 1
            if self.ref_cnt[block] == 0:
                self.free.append(block)

    def num_free(self):
        return len(self.free)

# %% miscounts | visible: yes | releases without looking at the count
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
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
                self.free.append(block)

    def num_free(self):
        return len(self.free)

# %% over-full | visible: no | gives what there is
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
        self.free = list(range(1, num_blocks))
        self.ref_cnt = [0] * num_blocks

    def allocate(self, count):
        with self.lock:
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

# %% two-owners | visible: no | block 0 is handed out too
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
        self.free = list(range(num_blocks - 1))
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

# %% miscounts | visible: yes | never takes anything back
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
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
                    pass

    def num_free(self):
        return len(self.free)

# %% stuck | visible: yes | locks again for each block
import threading

class Allocator:
    def __init__(self, num_blocks):
        self.lock = threading.Lock()
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
                with self.lock:
                    self.ref_cnt[block] += 1

    def release(self, blocks):
        with self.lock:
            for block in blocks:
                self.ref_cnt[block] -= 1
                if self.ref_cnt[block] == 0:
                    self.free.append(block)

    def num_free(self):
        return len(self.free)

# %% changes-its-input | visible: yes | takes block by block out of the caller's list
import threading


class Allocator:

    def __init__(self, num_blocks):
        self.lock = threading.Lock()
        self.free = list(range(1, num_blocks))
        self.ref = [0] * num_blocks

    def allocate(self, count):
        with self.lock:
            if count > len(self.free):
                return None
            out = [self.free.pop(0) for _ in range(count)]
            for b in out:
                self.ref[b] = 1
            return out

    def share(self, blocks):
        with self.lock:
            for b in blocks:
                self.ref[b] += 1

    def release(self, blocks):
        with self.lock:
            while blocks:
                b = blocks.pop()
                self.ref[b] -= 1
                if not self.ref[b]:
                    self.free.append(b)

    def num_free(self):
        return len(self.free)

# %% miscounts | visible: yes | counts to three references at most
import threading


class Allocator:

    def __init__(self, num_blocks):
        self.lock = threading.Lock()
        self.free = list(range(1, num_blocks))
        self.ref = [0] * num_blocks

    def allocate(self, count):
        with self.lock:
            if count > len(self.free):
                return None
            out = [self.free.pop(0) for _ in range(count)]
            for b in out:
                self.ref[b] = 1
            return out

    def share(self, blocks):
        with self.lock:
            for b in blocks:
                self.ref[b] = min(self.ref[b] + 1, 3)

    def release(self, blocks):
        with self.lock:
            for b in blocks:
                self.ref[b] -= 1
                if not self.ref[b]:
                    self.free.append(b)

    def num_free(self):
        return len(self.free)
