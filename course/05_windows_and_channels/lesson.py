# %% [markdown] tags=["core"]
# # 05 · Windows and channels
#
# *30 minutes, then lab 05.*
#
# Unit 04 isolated *time*: no token may look ahead. An image has more axes: height, width, channels, and the batch. In this lesson
# you put walls into an image, move them, forget the screens that the move needs, and find 448 pairs of pixels that see each
# other across the whole picture. Then you ask of every axis: may anything pass here at all?
#
# **Sharing is not the bug. Sharing without saying who may write, when, and when others see it, is.**
#
# ## Walls on wheels
#
# An open-plan office, eight rows of eight desks. Everybody hears everybody: 64 × 64 = 4,096 pairs. Too loud, and too expensive. So the
# landlord puts up walls: four rooms of sixteen desks. Now it is quiet, but two colleagues on either side of a wall never
# hear of each other. So every second day he moves the walls by two desks.
#
# This is an image and a vision transformer (Swin). A desk is a pixel, a room is a *window*, a day is a layer.

# %% tags=["core", "setup"]
import torch
from torch import nn

from sharedstate import figures, influence
from sharedstate.model import self_attention
from sharedstate.panels import predict, reveal, window_panel

torch.set_num_threads(1)

# %% [markdown] tags=["core"]
# `self_attention` mixes the tokens of each group it is given and knows nothing of rows or columns. *Who is in a group* decides
# everything, and that is a matter of reshaping. First the walls.

# %% tags=["core", "setup"]
def partition(x, size):
    B, H, W, C = x.shape
    x = x.reshape(B, H // size, size, W // size, size, C)   # [B, rows, size, columns, size, C]
    return x.transpose(2, 3).reshape(-1, size * size, C)    # [B * windows, size * size, C]

def together(parts, size, H, W):
    x = parts.reshape(-1, H // size, W // size, size, size, parts.shape[-1])
    return x.transpose(2, 3).reshape(-1, H, W, parts.shape[-1])   # [B, H, W, C]

def everybody(x):
    return self_attention(x.flatten(1, 2)).view_as(x)       # one group of H * W

def windows(x, size=4):
    return together(self_attention(partition(x, size)), size, *x.shape[1:3])

# %% [markdown] tags=["core"]
# The oracle is the course's own: **who can influence whom**. Row *i*, column *j*: does output pixel *i* change when input pixel *j* does?
# The Jacobian answers with an exact zero, or not. We declare what may be from the floor plan alone: same room or not. No
# rolling and no reshaping, so that the oracle can't share the layer's mistake.

# %% tags=["core", "setup"]
image = torch.randn(1, 8, 8, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(5))

def same_room(shift=0, size=4, H=8, W=8):
    """[H * W, H * W]: True where both desks lie in one room, with the walls moved by `shift`."""
    row, column = (torch.arange(H) - shift) // size, (torch.arange(W) - shift) // size
    same_row, same_column = row[:, None] == row, column[:, None] == column
    return (same_row[:, None, :, None] & same_column[None, :, None, :]).reshape(H * W, H * W)

def pixels(layer, may, x=image):
    """The influence of input pixels (columns) on output pixels (rows); all that may be must be."""
    return influence.tensors(layer, x, rows=(1, 2), columns=(1, 2), may=may, must=may)

# %% tags=["core", "setup"]
def seen(matrix):
    """The number of (output, input) pairs with any influence."""
    return sum(state in ("allowed", "leak") for row in matrix.states for state in row)

def sight(matrix, row, column, W=8):
    """What one pixel sees, as rows of an image."""
    states = matrix.states[row * W + column]
    return [states[start:start + W] for start in range(0, len(states), W)]

# %% [markdown] tags=["core"]
# ## Days and walls
#
# > **A popular text says:** "The windows isolate regions, and shifting them connects the regions again."
#
# One layer of windows isolates. What do many layers do? (For the moved walls we take the right layer from the package. You see
# what is in it in a moment.)

# %% tags=["core"]
predict("05.twice",
        "Pixel (3, 3) sees 16 of 64 pixels after one layer of windows. And after twelve such layers?", {
    "a": "16", "b": "a few more with every layer", "c": "all 64"})

# %% tags=["core"]
from sharedstate.model import window_attention

far = (same_room(2).double() @ same_room().double()) > 0    # a room of today, the rooms of yesterday
office = {
    "windows": pixels(windows, same_room()),
    "windows twice": pixels(lambda x: windows(windows(x)), same_room()),
    "windows, then shifted": pixels(lambda x: window_attention(windows(x), 4, 2), far),
}

# %% tags=["core", "stable", "claim:39"]
for days, matrix in office.items():
    print(f"{days:22} {seen(matrix):5,} of 4,096 pairs, clean: {matrix.clean}")
figures.sight({days: sight(m, 3, 3) for days, m in office.items()}, (3, 3), walls=4,
              title="Moved walls let pixel (3, 3) see the whole house")

# %% [markdown] tags=["core"]
# *The dot is pixel (3, 3). It sees 16 pixels after one layer, the same 16 after two, and all 64 once the walls have moved in between.*

# %% tags=["core", "stable"]
def twelve(x):
    for day in range(12):
        x = windows(x)
    return x

behind = image.clone()
behind[0, :, 4:] += 1.0                                     # everything behind the wall changes
same = torch.equal(twelve(image)[0, 3, 3], twelve(behind)[0, 3, 3])
reveal("05.twice", truth="a", because={
    "b": "What is heard in a room comes from that room, and only from there.",
    "c": "Depth does not help: the same walls stand in each layer.",
}, measured=f"after twelve layers, pixel (3, 3) is the same whatever happens behind the wall: {same}")

# %% [markdown] tags=["core"]
# **Verdict: true, and it leaves something out.** A shift by half a window joins four rooms in two layers: 2,304 of 4,096 pairs. Why
# not all? Pixel (0, 0) sits in a corner, and moved walls leave it a small room of its own.
#
# Those small rooms are what the text forgets. Moved walls make nine rooms of three sizes, and hardware likes equal ones.
# So the landlord takes the first two rows of desks and wheels them to the end, after the last ones, and the same with two columns.
# In code: `torch.roll`. Four rooms of sixteen again!

# %% tags=["core", "setup", "fault:swin-shift-without-mask", "fault:swin-mask-rows-only", "fault:swin-mask-sum", "fault:swin-mask-wrong-edge"]
def shifted(x, mask=None, size=4, shift=2):
    rolled = torch.roll(x, (-shift, -shift), (1, 2))  # wheel the first rows and columns to the end
    parts = self_attention(partition(rolled, size), mask)   # [B * windows, 16, C]
    return torch.roll(together(parts, size, *x.shape[1:3]), (shift, shift), (1, 2))   # and back

# %% tags=["core"]
predict("05.wrap", "One such layer. Which far pixels does the corner (0, 0) see?", {
    "a": "none, only those beside it", "b": "the other ends of its own row and column",
    "c": "also the opposite corner (7, 7)"})

# %% tags=["core", "handout", "stable"]
leaky = pixels(shifted, same_room(2))
reveal("05.wrap", truth="c", because={
    "a": "In the rolled image they are beside it: rows 6, 7, 0, 1 now share a room.",
    "b": "Those too. But both rows and columns are rolled, so the corners meet as well.",
}, measured=f"{len(leaky.leaks)} of 4,096 pairs leak; (0, 0) from (7, 7): {leaky.state('0,0', '7,7')}")
honest = pixels(lambda x: window_attention(x, 4, 2), same_room(2))
figures.sight({"shift, no mask": sight(leaky, 0, 0), "as it should be": sight(honest, 0, 0)}, (0, 0),
              walls=4, title="Without its mask, one corner sees all four")

# %% [markdown] tags=["core"]
# *The dot is pixel (0, 0), with what it sees. Left, the rolled room holds a piece of all four corners of the image. Every leak of the 448 joins
# two opposite borders in this way. Right, the corner's own small room.*
#
# Nothing looks broken: no error, the right shape, a falling loss. The sky just knows a little about the street below. **Change one line
# and run again:** `leaky = pixels(lambda x: shifted(x, shift=1), same_room(1))`. More leaks, or fewer?
#
# ## The screens
#
# In a room with people from opposite ends of the house, screens are needed. Every pixel gets the number of the region that it
# came from, and looks only at its own number.

# %% tags=["core", "setup", "fix:swin-shift-without-mask", "fix:swin-mask-rows-only", "fix:swin-mask-sum", "fix:swin-mask-wrong-edge"]
def screens(region, size=4):
    parts = partition(region[None, :, :, None], size)[..., 0]   # [windows, 16]
    return parts[:, :, None] == parts[:, None, :]               # [windows, 16, 16], True = may look

def regions(H=8, W=8, shift=2):
    row = torch.arange(H) >= H - shift                  # wheeled here from the first rows?
    column = torch.arange(W) >= W - shift
    return 2 * row[:, None] + column.long()             # [H, W]: 0, 1, 2 or 3

# %% tags=["core"]
numbers = regions()
before = torch.roll(numbers, (2, 2), (0, 1))
figures.regions(before.tolist(), numbers.tolist(), 4,
                title="After the roll, one room holds all four corners")

# %% [markdown] tags=["core"]
# *Left, the image with moved walls and ragged rooms. Right, rolled into four equal windows: the last one holds a piece of A, B, C and D.*

# %% tags=["core", "stable"]
mended = pixels(lambda x: shifted(x, screens(regions())), same_room(2))
print(mended.message)
print("equal to the package's layer:",
      torch.equal(shifted(image, screens(regions())), window_attention(image, 4, 2)))

# %% [markdown] tags=["core"]
# Clean means both: no **leak**, and nothing **lost**. A mask that blocks everything has no leak either. Here are three masks that
# people write. Each passes a quick look, and the matrix tells them apart.

# %% tags=["core", "fault:swin-mask-rows-only", "fault:swin-mask-sum", "fault:swin-mask-wrong-edge"]
wheeled = torch.arange(8) >= 8 - 2

def rows_only():                                        # the columns were rolled too
    return wheeled[:, None].expand(8, 8).long()

def added():                                            # 0 + 1 is 1 + 0: two regions, one number
    return wheeled[:, None].long() + wheeled.long()

def wrong_edge():                                       # numbered before the roll, not after it
    first = torch.arange(8) < 2
    return 2 * first[:, None] + first.long()

# %% tags=["core", "stable"]
for region in (rows_only, added, wrong_edge):
    found = pixels(lambda x: shifted(x, screens(region())), same_room(2))
    print(f"{region.__name__:11} {len(found.leaks):4} leaks {len(found.lost):4} lost")

# %% [markdown] tags=["core"]
# **Change one line and run again:** in `added`, write `3 * wheeled[:, None].long()`. Why is it right now?
#
# Two more slips. The first has the right *shape*, and cuts the picture into strips. The second forgets to wheel the desks back. (What is
# right stands above: `windows` and `shifted`.)

# %% tags=["core", "fault:window-reshape"]
def strips(x, size=4):
    parts = x.reshape(-1, size * size, x.shape[-1])         # [4, 16, C], as wanted
    return self_attention(parts).reshape(x.shape)

# %% tags=["core", "fault:swin-not-rolled-back"]
def not_back(x, mask, size=4, shift=2):
    rolled = torch.roll(x, (-shift, -shift), (1, 2))
    return together(self_attention(partition(rolled, size), mask), size, *x.shape[1:3])

# %% tags=["core", "stable"]
cut_wrong = pixels(strips, same_room())
moved = pixels(lambda x: not_back(x, screens(regions())), same_room(2))
print(f"each {len(cut_wrong.leaks)} leaks and {len(moved.lost)} lost; (0, 0) from itself, not back:",
      moved.state("0,0", "0,0"))
figures.sight({"reshape only": sight(cut_wrong, 1, 1), "rolled, not back": sight(moved, 1, 1)}, (1, 1),
              title="Two right shapes with the wrong neighbours", walls=4)

# %% [markdown] tags=["core"]
# *L, vermilion: seen and may not be. X, orange: must be seen and is not. A shape check accepts both layers.*
#
# Now move the walls yourself. The picture shows what the pixel sees, and the line below counts the whole image.

# %% tags=["core"]
window_panel()

# %% [markdown] tags=["core"]
# ## Rows and columns
#
# Another way to cut: one layer looks along the columns (height), the next along the rows (width). Same question: who is in a group?

# %% tags=["core", "setup"]
def along_width(x):
    return self_attention(x.flatten(0, 1)).view_as(x)                   # [B * H, W, C]

def along_height(x):
    return along_width(x.transpose(1, 2)).transpose(1, 2)               # [B * W, H, C] inside

# %% tags=["core", "fault:axial-mixed-axes"]
def mixed(x):
    B, H, W, C = x.shape
    columns = x.reshape(B * W, H, C)                        # the shape of columns
    return self_attention(columns).reshape(x.shape)

# %% tags=["core", "stable"]
oblong = image[:, :4]                                       # 4 x 8: in a square, mistakes hide
row, column = torch.arange(32) // 8, torch.arange(32) % 8
same_row, same_column = row[:, None] == row, column[:, None] == column
axial = {
    "height": pixels(along_height, same_column, oblong),
    "width": pixels(along_width, same_row, oblong),
    "height, then width": pixels(lambda x: along_width(along_height(x)), same_row | ~same_row, oblong),
    "reshaped, not turned": pixels(mixed, same_column, oblong),
}
for name, matrix in axial.items():
    print(f"{name:22} {seen(matrix):5,} pairs, {len(matrix.leaks):3} leaks, {len(matrix.lost):3} lost")
figures.sight({name: sight(m, 1, 3) for name, m in axial.items()}, (1, 3),
              title="Height, then width: two thin layers see everything")

# %% [markdown] tags=["core"]
# *A column, a row, and both in two layers. The last one has the shape of columns and looks along half a row.*
#
# ## Channels: a shared network, own weights
#
# So far the channels of a pixel travelled together. Channel attention (SE, "squeeze and excitation") asks instead: how much does each
# channel count *for this image*? Squeeze: the mean over all pixels. Excite: a small network turns the means into a weight for each
# channel. The network is shared by all images; the weights it answers with are each image's own.
#
# > **A popular text says:** "Channel attention isolates the channels from each other."
#
# We look at one layer from three sides: by channel, by pixel, by image.

# %% tags=["core", "setup"]
draw = torch.Generator().manual_seed(50)
images = torch.rand(3, 6, 4, 4, dtype=torch.float64, generator=draw)    # [B, C, H, W]
shrink, grow = (torch.rand(shape, dtype=torch.float64, generator=draw) for shape in ((6, 3), (3, 6)))

def excite(squeezed):
    return torch.sigmoid(torch.relu(squeezed @ shrink) @ grow)          # [..., C], between 0 and 1

def channel_attention(x):
    return x * excite(x.mean((2, 3)))[:, :, None, None]                 # [B, C, H, W]

def images_apart(layer):
    """Images and channels: all channels of one image may, and must, reach each other, nobody else."""
    own = torch.block_diag(*[torch.ones(6, 6)] * 3).bool()              # [18, 18]
    return influence.tensors(layer, images, rows=(0, 1), columns=(0, 1), may=own, must=own)

# %% tags=["core"]
predict("05.gate", "What can change channel 0 of image 0 here?", {
    "a": "channel 0 of image 0 alone", "b": "all channels of image 0, nothing of image 1",
    "c": "everything in the batch: the network is shared"})

# %% tags=["core", "stable", "claim:40"]
by_channel = influence.tensors(channel_attention, images[:1], rows=1, columns=1, may=[("*", "*")])
by_pixel = influence.tensors(channel_attention, images[:1], rows=(2, 3), columns=(2, 3),
                             may=[("*", "*")])
by_image = influence.tensors(channel_attention, images, may=torch.eye(3).bool())
reveal("05.gate", truth="b", because={
    "a": "The gate of channel 0 is computed from the means of all channels. That is its purpose.",
    "c": "Shared weights are read, never written. What is shared is the rule, not the state.",
}, measured=f"{seen(by_channel)} of 36 pairs of channels and {seen(by_pixel)} of 256 of pixels depend,"
            f" {len(by_image.leaks)} of 6 pairs of images")

# %% [markdown] tags=["core"]
# **Verdict: it depends on the axis, and for the channels it is false.** All channels and all pixels of one image reach each other
# through the gate, and are meant to. What must be isolated is the image from its neighbours in the batch: **one network, but each image its
# own weights**. Here they are, for one image, the same in the dark, and the same with a bright channel 0.

# %% tags=["core", "stable"]
bright = images[:1] * torch.tensor([4.0, 1, 1, 1, 1, 1])[:, None, None]
shown = {"image 0": images[:1], "image 0, dark": images[:1] * 0.05, "image 0, channel 0 bright": bright}
print("weight of channel           ", *(f"{channel:5}" for channel in range(6)))
for name, x in shown.items():
    print(f"{name:28}", *(f"{weight:5.2f}" for weight in excite(x.mean((2, 3)))[0].tolist()))
beside = [channel_attention(torch.cat((images[:1], other)))[0]
          for other in (shown["image 0, dark"], bright)]
print("image 0 beside the dark one and beside the bright one is the same bit for bit:",
      torch.equal(*beside))

# %% [markdown] tags=["core"]
# One bright channel changes all six weights of its image, and not a bit of its neighbour. So here are two slips of the pen, and a repair.

# %% tags=["core", "fault:se-pooled-over-batch"]
def pooled_over_batch(x):
    squeezed = x.mean((0, 2, 3))                            # [C]: one axis too many, and it broadcasts
    return x * excite(squeezed)[:, None, None]

# %% tags=["core", "fault:se-batchnorm-train"]
class NormedAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(6, dtype=torch.float64)

    def forward(self, x):
        squeezed = self.norm(x.mean((2, 3)))                # mean and variance: over the batch?
        return x * torch.sigmoid(squeezed @ shrink @ grow)[:, :, None, None]

# %% tags=["core", "fix:se-pooled-over-batch", "fix:se-batchnorm-train"]
class OwnNorm(nn.Module):
    def forward(self, x):
        squeezed = nn.functional.layer_norm(x.mean((2, 3)), (6,))       # over one image's channels
        return x * torch.sigmoid(squeezed @ shrink @ grow)[:, :, None, None]

# %% tags=["core"]
predict("05.norm", "`NormedAttention` is tested in eval mode, and no image reaches another. In train?", {
    "a": "the same: isolation does not depend on a switch", "b": "each image reaches every other",
    "c": "an image reaches only those after it"})

# %% tags=["core", "measured"]
normed = NormedAttention()
gates = {"own mean": channel_attention, "pooled over the batch": pooled_over_batch,
         "BatchNorm, eval": NormedAttention().eval(), "BatchNorm, train": normed.train(),
         "own norm": OwnNorm()}
across = {name: images_apart(gate) for name, gate in gates.items()}
for name, matrix in across.items():
    strongest = max(abs(matrix.values[i][j]) for i in range(18) for j in range(18) if i // 6 != j // 6)
    print(f"{name:22} {len(matrix.leaks):3} leaks between images, the strongest {strongest:.3f}")
display(figures.influence(across["pooled over the batch"],
                          title="One axis too many: every image reaches every other"))
reveal("05.norm", truth="b", because={
    "a": "The switch changes whose numbers are used: the batch's own, or those stored in training.",
    "c": "Mean and variance have no order: all rows are in them.",
}, measured=", ".join(f"{name}: {len(m.leaks)} leaks" for name, m in across.items() if "Batch" in name))

# %% [markdown] tags=["core"]
# *Three images of six channels. Grey blocks: inside an image, as meant. Everything vermilion crosses from one image to another.*
#
# BatchNorm is the passcode checker again: `running_mean` is a board on which every batch writes. In train mode you are judged by whoever
# sits beside you; in eval mode the board is only read. A normalisation of each image by itself (`OwnNorm`) has no board at all.
#
# **Change one line and run again:** write `normed.eval()` for `normed.train()`. Everything looks clean, and the layer that you train still
# leaks: test the mode that you use.
#
# ## What do walls save?
#
# Everybody with everybody is (HW)² pairs. Windows of M × M desks make HW · M² pairs: the bill grows with the image, not with its
# square.

# %% tags=["core"]
predict("05.price",
        "The image becomes four times as wide and as high. The pairs of full attention grow …", {
    "a": "4 times", "b": "16 times", "c": "256 times"})

# %% tags=["core", "measured"]
from statistics import median
from time import perf_counter

def seconds(layer, side):
    x = torch.randn(1, side, side, 16)
    layer(x)                                                # the first call is not counted
    took = []
    for turn in range(7 if side < 64 else 3):  # repeat, and take the median: one run says little
        began = perf_counter()
        layer(x)
        took.append(perf_counter() - began)
    return median(took)

kinds = {"everybody": everybody, "windows of 4 × 4": windows,
         "height, then width": lambda x: along_width(along_height(x))}
bill = {name: {side**2: seconds(layer, side) for side in (16, 32, 64)} for name, layer in kinds.items()}
ratio = bill["everybody"][64**2] / bill["windows of 4 × 4"][64**2]
title = f"At 64 × 64 pixels, walls are {ratio:,.0f} times as fast"
display(figures.attention_price(bill, title=title))
reveal("05.price", truth="c", because={
    "a": "That is the side. Pairs are pixels times pixels, and pixels are side times side.",
    "b": "That is the number of pixels, and with it the price of windows.",
}, measured="256 times the pairs; time × " + ", × ".join(
    f"{line[64**2] / line[16**2]:.0f} for {kind}" for kind, line in bill.items()))

# %% [markdown] tags=["core"]
# *Small images hide the difference: there each call's overhead counts more than the pairs. Large ones exaggerate it: 4,096 × 4,096 scores
# no longer fit into the processor's cache.*
#
# Times are medians of several runs. The mask is computed once for a layer, not once for each image. What you pay for isolation is *reach*: it takes two layers to see
# further than a room, and many to cross a large house.
#
# ## Which axis to isolate for a cache
#
# Unit 06 keeps keys and values in a cache. They have four axes, [B, H, S, D]: requests, heads, positions, channels. Ask the same of them.
# Change the values along one axis, and see whose answers move.

# %% tags=["core", "stable"]
from sharedstate.model import attention, causal_mask

# each [B, H, S, D], three of each axis
q, k, v = torch.randn(3, 3, 3, 3, 4, dtype=torch.float64, generator=draw)

def along(axis):
    return influence.tensors(lambda v: attention(q, k, v, causal_mask(3, 3)), v, rows=axis, columns=axis,
                             may=[("*", "*")])

axes = {"batch": along(0), "head": along(1), "sequence": along(2)}
for name, matrix in axes.items():
    print(f"{name:9} {seen(matrix)} of 9 pairs:",
          ", ".join("".join(".#"[s == "allowed"] for s in row) for row in matrix.states))

# %% [markdown] tags=["core"]
# *Each group of three marks is an output, each mark an input; # means that it reaches it.*
#
# | axis of a cache | may anything pass? | so |
# |---|---|---|
# | batch: requests | never | each request a slot of its own (unit 07) |
# | head | not before the output projection | cut by head, and each part stays whole; K and V of a group may be one (GQA) |
# | sequence | from the past only | old keys and values never change, so they can be kept (unit 06) |
#
# ## The line
#
# | axis | may anything pass? | by what |
# |---|---|---|
# | batch | **never** | isolate always; no statistics of the batch when it counts |
# | channels | yes, through the gate | shared network, each image's own weights |
# | height, width | yes, in the declared room | windows, shifted windows with screens, rows and columns |
# | across the image's edge | **no** | the region mask after the roll |
#
# | must be shared | must be isolated |
# |---|---|
# | the weights of the network: written in training, then read | one image's means, gates and statistics |
# | the floor plan: window size, shift, region numbers | rooms of one layer; regions inside a rolled room |
#
# The three questions of every design have clean answers here. Split into finer units? Windows. Put together again? The shift. And it pays,
# because a shift is a roll of memory, while full attention pays for every pair.
#
# ## Check yourself
#
# <details><summary>Why is a window layer repeated twelve times no better connected than one?</summary>The groups are the same
# each time. Only other groups (shifted, rows and columns) join them.</details>
# <details><summary>A shifted layer has no leak. Is it right?</summary>Perhaps it blocks too much, or never rolled back. Ask for what is
# lost as well.</details>
# <details><summary>SE lets every channel see every other. Why is that no leak?</summary>It was declared. The gate is the door, and the
# batch is behind a wall.</details>
# <details><summary>Your isolation test is green in eval mode. What is missing?</summary>The same test in the mode that is
# used in training.</details>
#
# ## The door to the lab
#
# Four exercises, with hints. The next cell makes your own copy; it never overwrites one that is there.

# %% tags=["core"]
from sharedstate import workspace

workspace.door("05")
