"""Wrong answers to exercise 08.3: why each is rejected, whether it passes the lab's example, its story."""

# %% no-parent | visible: yes | a block is known by its own tokens
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = sorted((content, first) for content, first in images if start - 2 < first < stop)
        parent = hashlib.sha256(repr((adapter, tuple(tokens[start:stop]), inside)).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% too-much | visible: no | one key for the whole prompt, once a block
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = sorted((content, first) for content, first in images if start - 2 < first < stop)
        parent = hashlib.sha256(repr((parent, tuple(tokens), inside)).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% keys-a-part | visible: no | the last block counts too, full or not
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens), block_size):
        stop = start + block_size
        inside = sorted((content, first) for content, first in images if start - 2 < first < stop)
        parent = hashlib.sha256(repr((parent, tuple(tokens[start:stop]), inside)).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% forgets-the-adapter | visible: yes | tokens and pictures are enough
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], "start"
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = sorted((content, first) for content, first in images if start - 2 < first < stop)
        parent = hashlib.sha256(repr((parent, tuple(tokens[start:stop]), inside)).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% forgets-the-picture | visible: yes | a placeholder is a token like any other
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        parent = hashlib.sha256(repr((parent, tuple(tokens[start:stop]))).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% too-much | visible: yes | all pictures go into the start of the chain
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter, sorted(images))
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        parent = hashlib.sha256(repr((parent, tuple(tokens[start:stop]))).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% forgets-the-place | visible: yes | which pictures, not where
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = sorted(content for content, first in images if start - 2 < first < stop)
        parent = hashlib.sha256(repr((parent, tuple(tokens[start:stop]), inside)).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% untagged | visible: yes | the adapter as a text in front, whatever it is
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], str(adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = sorted((content, first) for content, first in images if start - 2 < first < stop)
        parent = hashlib.sha256(repr((parent, tuple(tokens[start:stop]), inside)).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% runs-together | visible: yes | writes the numbers one after the other
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = sorted((content, first) for content, first in images if start - 2 < first < stop)
        parent = hashlib.sha256(repr((parent, "".join(map(str, tokens[start:stop])), inside)).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% too-few | visible: yes | a short key is quicker to compare
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = sorted((content, first) for content, first in images if start - 2 < first < stop)
        parent = hashlib.sha256(repr((parent, tuple(tokens[start:stop]), inside)).encode()).hexdigest()
        keys.append(int(parent[:3], 16))
    return keys

# %% too-much | visible: yes | the pictures in the order in which they come
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = [image for image in images if start - 2 < image[1] < stop]
        parent = hashlib.sha256(repr((parent, tuple(tokens[start:stop]), inside)).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% forgets-the-picture | visible: yes | only pictures that begin in the first half are looked at
import hashlib


def block_keys(tokens, block_size, adapter, images):
    keys, parent = [], ("adapter", adapter)
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = sorted((content, first) for content, first in images if start <= first < stop - 1)
        parent = hashlib.sha256(repr((parent, tuple(tokens[start:stop]), inside)).encode()).hexdigest()
        keys.append(parent)
    return keys

# %% not-repeatable | visible: no | chains with hash(), which is another one in each process
def block_keys(tokens, block_size, adapter, images):
    keys, parent = ([], ('adapter', adapter))
    for start in range(0, len(tokens) - block_size + 1, block_size):
        stop = start + block_size
        inside = tuple(sorted(((c, f) for c, f in images if start - 2 < f < stop)))
        parent = hash((parent, tuple(tokens[start:stop]), inside))
        keys.append(parent)
    return keys

# %% not-repeatable | visible: no | numbers what it sees, in the order of asking
N = {}


def block_keys(tokens, block_size, adapter, images):
    keys = []
    for stop in range(block_size, len(tokens) + 1, block_size):
        what = (adapter, tuple(tokens[:stop]), tuple(sorted(((c, f) for c, f in images if f < stop))))
        keys.append(N.setdefault(what, len(N)))
    return keys

# %% untagged | visible: yes | an adapter without a name is none
def block_keys(tokens, block_size, adapter, images):
    keys = []
    for stop in range(block_size, len(tokens) + 1, block_size):
        inside = tuple(sorted(((c, f) for c, f in images if f < stop)))
        keys.append((adapter or None, tuple(tokens[:stop]), inside))
    return keys
