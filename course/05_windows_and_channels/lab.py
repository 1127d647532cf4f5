# %% [markdown] tags=["core"]
# # Lab 05 · Windows and channels
#
# *Four exercises, about 32 minutes. Little time? Do the second and the fourth.*
#
# Write your answer where it says `# your code here`, and run the check below it. A check tells you which pixel or which image
# is wrong in *your* answer. Don't change the tensors that you are given, and keep their dtype. What you return is new in each
# call: nobody else holds the same tensor or list. The hints are folded, and the third one nearly gives it away. Your progress
# is kept in `my-labs/`.

# %% tags=["core", "setup"]
import torch

from sharedstate.checks import check
from sharedstate.model import window_partition
from sharedstate.workspace import where_am_i

torch.set_num_threads(1)
where_am_i()

# %% [markdown] tags=["core"]
# ## 05.1 Cut and join
#
# *8 minutes · difficulty 1 of 3 · 2 points*
#
# Write the two functions on which a window layer rests.
#
# * `partition(x, size)` cuts `x` [B, H, W, C] into windows [B * windows, size * size, C]: image by image, windows in reading order,
#   pixels in reading order. A `size` that does not divide H and W raises `ValueError`.
# * `join(parts, size, height, width)` puts them together again, [B, H, W, C].
#
# Example: in an image of 4 × 4 with the pixels 0 to 15, the first window of size 2 holds 0, 1, 4, 5.

# %% tags=["core", "exercise:05.1"]
def partition(x, size):
    """Cut [B, H, W, C] into [B * windows, size * size, C]."""
    ### BEGIN SOLUTION
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError(f"Windows of {size} do not fit into {H} x {W}.")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)
    ### END SOLUTION

def join(parts, size, height, width):
    """Put [B * windows, size * size, C] together again, [B, height, width, C]."""
    ### BEGIN SOLUTION
    C = parts.shape[2]
    x = parts.reshape(-1, height // size, width // size, size, size, C)
    return x.transpose(2, 3).reshape(-1, height, width, C)
    ### END SOLUTION

windows = (partition, join)

# %% tags=["core"]
from sharedstate.checks import check

check("05.1")

# %% [markdown] tags=["core", "hints:05.1"]
# <details><summary>Hint 1</summary>A reshape alone never moves a pixel past another. Two pixels of one window are a whole row of the image apart.</details>
# <details><summary>Hint 2</summary>Split H into (rows of windows, size) and W into (columns of windows, size). Which two of the six axes must change places?</details>
# <details><summary>Hint 3</summary><code>x.reshape(B, H // size, size, W // size, size, C).transpose(2, 3)</code>, then one more reshape. Going back, the same two axes change places.</details>

# %% [markdown] tags=["core"]
# ## 05.2 The screens that everybody forgets
#
# *10 minutes · difficulty 3 of 3 · 3 points*
#
# The layer rolls the image with `torch.roll(x, (-shift, -shift), (1, 2))`, cuts it with `window_partition(x, size)` (the package's own
# partition, so that this exercise stands by itself), and looks around inside each window. Write `region_mask(height, width, size, shift)`: a boolean tensor [windows, size * size, size * size], where **True = may look**.
# Two pixels of a window may look at each other if the roll took both of them round the same edges, or neither round any.
#
# Clean means no leak **and** nothing lost. The image need not be square, the shift need not be half a window, and it may be 0.
#
# Example: in the lesson's image (8, 8, 4, 2) the mask is [4, 16, 16], the first window may look everywhere, and 448 entries are False.

# %% tags=["core", "exercise:05.2"]
def region_mask(height, width, size, shift):
    """Return [windows, size * size, size * size], True = may look."""
    ### BEGIN SOLUTION
    rows = torch.arange(height) >= height - shift
    columns = torch.arange(width) >= width - shift
    region = 2 * rows[:, None] + columns.long()
    parts = window_partition(region[None, :, :, None], size)[:, :, 0]
    return parts[:, :, None] == parts[:, None, :]
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("05.2")

# %% [markdown] tags=["core", "hints:05.2"]
# <details><summary>Hint 1</summary>Give each pixel of the <em>rolled</em> image a number for where it came from, then compare numbers inside each window.</details>
# <details><summary>Hint 2</summary>After the roll, the last <code>shift</code> rows came from the top, and the last <code>shift</code> columns from the left. That makes four kinds of pixels.</details>
# <details><summary>Hint 3</summary>Number them <code>2 * came_from_top + came_from_left</code>, cut this picture of numbers with <code>window_partition</code>, and compare <code>parts[:, :, None] == parts[:, None, :]</code>.</details>

# %% [markdown] tags=["core"]
# ## 05.3 Height, then width
#
# *6 minutes · difficulty 2 of 3 · 2 points*
#
# Write `axial(x, attend)` for `x` [B, H, W, C]. First every **column** of every image is a group of its own (height), then every **row** of
# the result is one (width). `attend` takes groups [groups, tokens, C] and returns the same shape; call it once for each layer.
# In which order the groups stand does not matter.
#
# Example: with an `attend` that gives every token the sum of its group, each pixel ends up with the sum of the image.

# %% tags=["core", "exercise:05.3"]
def axial(x, attend):
    """Attend along the height, then along the width: [B, H, W, C] in and out."""
    ### BEGIN SOLUTION
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C))
    x = columns.reshape(B, W, H, C).transpose(1, 2)
    rows = attend(x.reshape(B * H, W, C))
    return rows.reshape(B, H, W, C)
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("05.3")

# %% [markdown] tags=["core", "hints:05.3"]
# <details><summary>Hint 1</summary>Rows lie side by side in memory: a reshape finds them. Columns do not.</details>
# <details><summary>Hint 2</summary>Turn the image first, so that its columns lie side by side: <code>x.transpose(1, 2)</code>. And turn it back afterwards.</details>
# <details><summary>Hint 3</summary><code>attend(x.transpose(1, 2).reshape(B * W, H, C)).reshape(B, W, H, C).transpose(1, 2)</code> is the first layer. The second needs no turning.</details>

# %% [markdown] tags=["core"]
# ## 05.4 Who leaks across the batch?
#
# *8 minutes · difficulty 3 of 3 · 3 points*
#
# Somebody hands you a channel attention as a black box: `layer(x)` takes [B, C, H, W] and returns the same shape. Write `leaks(layer, x)`. It
# returns all pairs `[victim, neighbour]` of different images such that the victim's output can change when the neighbour's input does,
# sorted. What images do inside themselves is their own business.
#
# The pixels of `x` lie between 0 and 1. Some of the layers notice a neighbour only when it is much brighter or much darker than that, some pass on
# a billionth only. Isolation is exact: not a single bit may change.
#
# Example: a gate whose mean runs over the batch of two images gives `[[0, 1], [1, 0]]`.

# %% tags=["core", "exercise:05.4"]
def leaks(layer, x):
    """Return the sorted pairs [victim, neighbour] with influence across the batch."""
    ### BEGIN SOLUTION
    before = layer(x)
    found = set()
    for neighbour in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[neighbour] = light
            after = layer(changed)
            found |= {(v, neighbour) for v in range(len(x)) if not torch.equal(after[v], before[v])}
    return sorted([v, n] for v, n in found if v != n)
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("05.4")

# %% [markdown] tags=["core", "hints:05.4"]
# <details><summary>Hint 1</summary>Keep the output of the batch as it is. Change one image, run the layer again, and see which other outputs moved.</details>
# <details><summary>Hint 2</summary>Work on a clone each time. Try two changes, a very bright image and a very dark one, and compare with <code>torch.equal</code>.</details>
# <details><summary>Hint 3</summary>For each neighbour and each light in (-1000.0, 1000.0): <code>changed = x.clone(); changed[neighbour] = light</code>, then collect the victims whose output is not equal to the one before.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# You can cut an image without mixing it, put up the screens that a rolled window needs, turn an image before you call something a column, and
# catch a layer that looks at the neighbours. Unit 06 leaves the image: there the neighbour is a *former* request, in the same memory.
