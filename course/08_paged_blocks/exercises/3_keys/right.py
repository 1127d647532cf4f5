"""Right answers to exercise 08.3, each by another mechanism."""

# %% no hash at all: the key is the content itself
def block_keys(tokens, block_size, adapter, images):
    ends = range(block_size, len(tokens) + 1, block_size)
    return [(adapter, tuple(tokens[:end]), tuple(sorted((c, s) for c, s in images if s < end))) for end in ends]

# %% a running digest, each part with its name and length
import hashlib


def block_keys(tokens, block_size, adapter, images):
    running, keys = hashlib.blake2b(b"none" if adapter is None else b"adapter %d " % len(adapter) + adapter.encode()), []
    for position, token in enumerate(tokens):
        for content, first in sorted(images):
            if first == position:
                running.update(b"image %d %d " % (position, len(content)) + content)
        running.update(b"token %d;" % token)
        if (position + 1) % block_size == 0:
            keys.append(running.copy().digest())
    return keys
