# %% [markdown] tags=["core"]
# # 00 · Start here
#
# *15 minutes.*
#
# A café has one order slip. Anna writes *tea* on it, Ben writes *coffee*. Each of them walks to the counter and gets what the
# slip says. **You decide who moves.** Click into the next cell, press **Shift+Enter**, and give Anna a coffee.

# %% tags=["core"]
from sharedstate.panels import game_panel

game_panel("coffee")

# %% [markdown] tags=["core"]
# Did it work? Then you have just made a **race** happen. Anna did nothing wrong, and neither did Ben. The slip is *shared*, both
# *write* on it, and nothing keeps them apart.
#
# This course is about that one family of bugs: **shared state that changes while somebody else relies on it**.
# You meet it in a passcode checker of twelve lines, in random numbers, in attention masks, in the cache of a language model, and
# in the server around it. Each time you make the bug happen on purpose, see it, explain it, fix it, and *prove* the fix.
#
# ## Where you are
#
# The next cell knows how far you are. Its buttons make your own copy of a lab and show the link to it.

# %% tags=["core", "measured"]
from sharedstate.panels import start_page

start_page()

# %% [markdown] tags=["core"]
# ## Your machine
#
# Two cores and no graphics card are enough for everything here. Here is what you have:

# %% tags=["core", "measured"]
from sharedstate.commands import doctor

shown = ("Python", "GIL", "machine", "packages", "widgets", "torch", "GPU")
print(doctor.report([finding for finding in doctor.examine() if finding.name in shown]))

# %% [markdown] tags=["core"]
# Three of these lines matter later.
#
# * **GIL**: does a *global interpreter lock* let only one thread run at a time (`on`), or is your Python *free-threaded*
#   (`off`)? Unit 01 shows what that changes, and what it doesn't.
# * **machine**: the number of cores decides which times you see, never which bugs.
# * **GPU**: a few cells of the later units can use a graphics card. Without one they run small on the CPU, and say so. The bugs
#   are the same.
#
# If a line says *problem*, an arrow under it names the remedy. `python run.py doctor` prints the full report.

# %% [markdown] tags=["core"]
# ## The same race with real threads
#
# In the game you chose the order. Now two real threads share one slip, and nobody chooses.

# %% tags=["core"]
from sharedstate.panels import predict, reveal

predict("00.slip", "Both write before either of them reaches the counter. What do they drink?", {
    "a": "Anna tea, Ben coffee",
    "b": "Both the same",
    "c": "It is different every time",
})

# %% [markdown] tags=["core"]
# The `Barrier` is the walk to the counter: no thread passes it before both have written.

# %% tags=["core", "stable"]
from threading import Barrier, Thread

slip, drinks = {}, {}                        # one slip for everybody
both_have_written = Barrier(2)

def order(guest, drink):
    slip["order"] = drink                    # write
    both_have_written.wait()                 # walk to the counter
    drinks[guest] = slip["order"]            # read

guests = [Thread(target=order, args=pair) for pair in (("Anna", "tea"), ("Ben", "coffee"))]
for guest in guests:
    guest.start()
for guest in guests:
    guest.join()
print("two orders, kinds of drink served:", len(set(drinks.values())))

# %% tags=["core"]
reveal("00.slip", truth="b", because={
    "a": "There is one slip. It holds one word, the last one written.",
    "c": "Who wrote last may differ. That one of them gets the wrong drink does not.",
}, measured="one kind of drink for two orders, in every run")

# %% [markdown] tags=["core"]
# Run the cell again, ten times if you like. One guest is always wrong, and it is never luck. That is a promise of this course: a
# bug that we talk about is **forced**, so it happens at every run. Where we let threads run free, we show the count
# and promise nothing.
#
# **Change one line and run again:** make the slip `slip[guest] = drink`, and read `slip[guest]`. What is shared now?

# %% [markdown] tags=["core"]
# ## See it
#
# A barrier is one way to force a race. A better one is to decide *every* step, as you did in the game. Here is the café as a
# class, and a `Scenario` with two guests. `never` says what must not happen.

# %% tags=["core"]
from sharedstate import figures
from sharedstate.interleave import Scenario

class Cafe:
    def __init__(self):
        self.menu = ("tea", "coffee")        # hangs on the wall, nobody writes on it
        self.slip = ""

    def order(self, drink):
        self.slip = drink
        return self.slip

def evening(cafe):
    return Scenario(
        setup=cafe,
        threads={"anna": lambda c: c.order("tea"), "ben": lambda c: c.order("coffee")},
        never=lambda c, drinks: drinks != {"anna": "tea", "ben": "coffee"},
    )

# %% [markdown] tags=["core"]
# Anna takes one step: she writes. Ben takes all of his. Then Anna goes on.

# %% tags=["core", "handout", "stable"]
figures.interleaving(evening(Cafe).play(["anna", "ben*", "anna*"]))

# %% [markdown] tags=["core"]
# *Time runs downwards, one lane for each guest. Anna reads what Ben wrote.*
#
# And one after the other?

# %% tags=["core", "stable"]
figures.interleaving(evening(Cafe).play(["anna*", "ben*"]))

# %% [markdown] tags=["core"]
# *The same code in another order, and nobody is hurt. This is the order that your tests try.*
#
# **Change one line and run again:** play `["anna", "ben", "anna*", "ben*"]`. Who is wrong this time?
#
# ## Try them all
#
# Two guests with two steps each can be interleaved in six ways. The explorer tries all of them.

# %% tags=["core", "stable"]
found = evening(Cafe).explore("all")
print(found)

# %% tags=["core"]
figures.outcomes(found, bad=("anna tea, ben tea", "anna coffee, ben coffee"))

# %% [markdown] tags=["core"]
# *Three outcomes are possible: both right, both tea, both coffee. A cross marks what must not happen.*
#
# (*not today*: this Python happens not to switch there. Unit 01 shows how little that helps.)
#
# ## Fix it, and prove the fix
#
# Give every guest a slip of their own. In Python that is a local variable. The menu may stay on the wall for all: it is shared,
# and nobody writes on it.

# %% tags=["core", "stable"]
class OwnSlips(Cafe):
    def order(self, drink):
        mine = drink                         # a slip of one's own
        return mine if mine in self.menu else "water"

print(evening(OwnSlips).explore("all"))

# %% [markdown] tags=["core"]
# **Proved** is a strong word. It means: every order of the steps was tried, and none does harm. It does not mean "we ran it a
# million times and saw nothing". You will see both in this course, and why they are not the same.
#
# **Change one line and run again:** in `OwnSlips`, write `self.slip = drink` and use `self.slip` for `mine` again. What does the
# explorer say?

# %% [markdown] tags=["core"]
# ## How a lesson works
#
# Each lesson has this rhythm:
#
# scene → **predict** → reproduce → **see** → explain → **fix** → **prove** → pay → the line
#
# * **Predict** before you run. Your choice is stored and shown beside the measurement. Stored outputs below a question are folded
#   until you run them, so guess first: a wrong guess is the best moment of a lesson.
# * **Popular claims** are quoted as claims. You predict, you measure, and only then comes the verdict. Many popular claims about
#   threads are wrong, or true on some days.
# * **Change one line and run again** is an invitation. You cannot break anything: Ctrl+Z takes a change back, and
#   `python run.py build 01` makes lesson 01 anew.
# * **Panels** have sliders. Beside each stands a plain figure, for pages without buttons. After a kernel restart a panel says so:
#   run its cell again.
# * **Fault ids** such as `PY-02` name a bug that was found in real software. `python run.py faults PY-02` shows it, its harmless
#   control and its fix; unit 11 tells the story with its source.
# * Some parts are *deeper*. Skip them on a first reading.
#
# The class that is wrong always stands in a cell, where you can touch it. The machinery comes from the package `sharedstate`.

# %% [markdown] tags=["core"]
# ## How a lab works
#
# Every lesson but this one has a lab with three to eight exercises. The last cell of a lesson, or a button above, makes **your own
# copy** in `my-labs/`. No update ever touches that folder.
#
# * Write where it says `# your code here`, and run the check below. It tells you what is wrong with *your* answer, and for a
#   race it shows the schedule that breaks it. An answer that loops for ever is stopped, and your kernel lives on.
# * Three **hints** are folded under each exercise. The third one nearly gives it away.
# * Your **progress** is a file in `my-labs/`. It survives updates. `python run.py progress --export FILE` makes a copy.
# * Do you want to begin again? `python run.py reset 01` keeps your old lab as a dated backup.

# %% [markdown] tags=["core"]
# ## If something goes wrong
#
# * A cell that runs too long has a star, `[*]`. Stop it with the square button, or press **I** twice.
# * Cells build on each other. When names are missing, choose *Run* → *Run All Above Selected Cell*.
# * A thread that waits for ever cannot be stopped. Restart the kernel: your labs and your progress are files, and stay.
# * Times and rates differ between machines. If a *verdict* differs, that is a bug of this course: please report it.

# %% [markdown] tags=["core"]
# ## The map

# %% tags=["core"]
from sharedstate import syllabus

units = [{"name": unit.name, "minutes": unit.minutes} for unit in syllabus.units()]
figures.course_map(units, here="00")

# %% [markdown] tags=["core"]
# *From the passcode checker (01) to the server of a language model (09), then diagnosis, real incidents, and interview drills.
# The minutes are those of the lesson; a lab takes about as long again.*
#
# Threads come first, because there the bug is smallest. Random numbers follow (03). Then the same two questions explain
# attention (04, 05), the cache (06 to 08) and batching (09): *who may write here, and who can see it?*

# %% [markdown] tags=["core"]
# ## The line
#
# Every lesson ends by drawing one line through its own system. Here is the café's.
#
# | must be shared | must be isolated |
# |---|---|
# | the menu: written once, read by all | the slip: one guest's own order |
#
# **Sharing is not the bug. Sharing without saying who may write, when, and when others see it, is.**
#
# Three questions help with every design. *Can the state be split?* Yes, one slip for each guest. *How is it put together
# again?* Not at all: each guest takes their own drink. *Does that cost less than it gains?* A slip of paper, against a wrong drink.
#
# At the end of the course you can look at a system you have never seen, list the state that its parts share, say who may
# write it and when, force the one order that breaks it, and show that your repair leaves no such order.
#
# Now open `01_passcode_race`. There the slip decides who gets through a door.
