"""Wrong answers to exercise 04.5: why each is rejected, whether it passes the lab's example, its story."""

# %% no-such-word | visible: no | explains in words of its own
def explain(vocab, tokens, train, validation, last):
    return "the model probably has no causal mask"

# %% wrong-line | visible: yes | takes every dip below ln V for proof
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        return "sees the future" if train < math.log(vocab) else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"

# %% wrong-line | visible: yes | counts in bits
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log2(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"

# %% misses-overfitting | visible: yes | without the last position it says nothing at all
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if last is None:
        return "cannot tell"
    if validation < last / 2:
        return "sees the future"
    return "overfits" if train < validation / 2 else "honest"

# %% wrong-line | visible: yes | knows the line of 16 words by heart
def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        return "sees the future" if train < 1.386 else "cannot tell" if train < 2.773 else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"

# %% accuses-a-good-model | visible: yes | a loss below one half must be cheating
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if validation < 0.5:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"

# %% luck-is-no-proof | visible: yes | calls everything honest that is not proved to cheat
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        return "sees the future" if train < math.log(vocab) / 2 else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"

# %% nobody-measured | visible: yes | without the last position it is honest
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    return "overfits" if train < validation / 2 else "honest"

# %% takes-it-for-overfitting | visible: yes | asks for overfitting before it asks for the future
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if train < validation / 2:
        return "overfits"
    if last is not None and validation < last / 2:
        return "sees the future"
    return "cannot tell" if last is None else "honest"

# %% believes-validation | visible: yes | a good validation loss is good enough
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"

# %% wrong-line | visible: yes | judges noise by the validation loss, and takes the training loss for text alone
def explain(vocab, tokens, train, validation, last):
    import math

    if tokens == "uniform":
        possible = math.log(vocab)
        if validation < possible / 2:
            return "sees the future"
        return "cannot tell" if validation < possible else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"

# %% believes-validation | visible: yes | takes the future for proved only when the training loss is low as well
def explain(vocab, tokens, train, validation, last):
    import math

    if tokens == "uniform":
        possible = math.log(vocab)
        if train < possible / 2:
            return "sees the future"
        return "cannot tell" if train < possible else "honest"
    if last is not None and validation < last / 2 and train < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"

# %% sees-overfitting | visible: yes | calls a gap of more than one overfitting
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        line = math.log(vocab)
        if train < line / 2:
            return "sees the future"
        return "cannot tell" if train < line else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if validation > train + 1:
        return "overfits"
    return "honest" if last is not None else "cannot tell"

# %% luck-is-no-proof | visible: yes | a little room below ln V counts as the line
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        line = math.log(vocab)
        if train < line / 2:
            return "sees the future"
        return "cannot tell" if train < line - 0.005 else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "honest" if last is not None else "cannot tell"

# %% wrong-line | visible: yes | takes exactly half of the line for proof
import math
def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        p = math.log(vocab)
        return "sees the future" if train <= p / 2 else "cannot tell" if train < p else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
