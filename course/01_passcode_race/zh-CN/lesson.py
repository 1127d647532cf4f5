# %% [markdown] tags=["core"]
# # 01 · 口令竞态
#
# *45 分钟，然后做实验 01。*
#
# 有一个口令检查器，你单独试它，每次都对。后来两个人同时用它，一个错误的口令就通过了。这一课里，你要故意让它发生，
# 看清它发生的那一刻，找到真正控制它的旋钮，再把检查器修好，让*任何*时序都打不破它。
#
# 请记住一句话。**共享不是 bug。共享却不说清楚谁可以写、何时写、别人何时看到，才是 bug。**
#
# ## 一块白板，没有门
#
# 房间里有一个保险箱，墙上有一块白板。你把口令写在白板上，翻书查出正确的口令，抬头，拿它和白板上的字比较。只有你一个人时，
# 你从不出错。可是这个房间没有门，你翻书的时候，别人会走进来。

# %% tags=["core", "setup"]
import inspect
import textwrap
from io import StringIO

from sharedstate import figures, influence
from sharedstate.interleave import Scenario
from sharedstate.panels import game_panel, predict, race_panel, reveal, scheduler_panel
from sharedstate.passcodes import FREE_THREADED, RaceConfig, gil_enabled, measure_race, switch_points

# %% tags=["core"]
figures.whiteboard()

# %% [markdown] tags=["core"]
# *所有人共用一块白板。没有人问上面的字是谁最后写的。*
#
# 下面把这个房间写成一个类。**共享字段** `input_buffer` 是白板，`result` 是另一块小一点的白板。每个访客是一个**线程**（thread）。
# Alice 知道口令，Mallory 在猜，两个人同时用同一个检查器。

# %% tags=["core", "setup", "fault:checker-shared-buffer", "fault:checker-false-reject"]
class PasscodeChecker:
    def __init__(self, correct):
        self.correct = correct           # 只写一次，以后只读
        self.input_buffer = ""           # 白板
        self.result = False              # 小白板

    def check(self, candidate):
        self.input_buffer = candidate    # 写
        for _ in range(1000):            # 翻书
            pass
        self.result = self.input_buffer == self.correct   # 抬头，比较
        return self.result               # 读出答案

# %% tags=["core", "setup"]
def visit(checker, never):
    """Alice (right) and Mallory (wrong) at one checker; `never` says what must not happen."""
    return Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=never,
    )

def mallory_in(checker, answers):
    return answers["mallory"] is True

def alice_out(checker, answers):
    return answers["alice"] is False

# %% tags=["core"]
predict("01.board", "下面哪一种可能发生？", {
    "a": "每个人总是得到正确的答案", "b": "Mallory 可能进去，Alice 从不被拒绝",
    "c": "Mallory 可能进去，Alice 也可能被拒绝", "d": "只会崩溃：两个人写同一个属性"})

# %% [markdown] tags=["core"]
# 不要等运气。由*你*决定谁走下一步：Mallory 走一步（她的写），Alice 一直走到结束，然后 Mallory 继续。一步就是对某个共享的东西的
# 一次访问。步骤的一种顺序叫做一个**调度**（schedule）。

# %% tags=["core", "handout", "stable"]
trace = visit(PasscodeChecker, mallory_in).play(["mallory", "alice*", "mallory*"])
figures.interleaving(trace)

# %% [markdown] tags=["core"]
# *在 Mallory 的写和她的读之间有一个窗口，Alice 正好从窗口里走过去。*
#
# 请从上往下读。Mallory 抬头，在白板上看到的是 Alice 的字：`"s3cret" == "s3cret"`。只用了两次切换，错误的口令就被接受了。
#
# **改一行，再运行：** 把调度改成 `["alice", "mallory*", "alice*"]`。这次谁吃亏？
#
# > **流行的说法：** “Python 有 GIL，同一时刻只有一个线程在运行，所以没有竞态。”
#
# 在两个真正的线程上，把这同一个调度执行一百次。

# %% tags=["core", "stable", "claim:7"]
room = visit(PasscodeChecker, mallory_in)
replays = [room.replay(trace.token, on="threads") for _ in range(100)]
print(sum(replay.answers["mallory"] for replay in replays), "of 100 wrong passcodes passed")

# %% [markdown] tags=["core"]
# **结论：错。** 一百次里一百次。GIL 只保证*同一时刻*一个线程在运行，却不管下一个轮到谁。它保护的是解释器的内存。而你的不变式
# “白板上是*我*的字”，要由你自己来保护。
#
# 这里有两个**不变式**（invariant）。一个是“错误的口令不能通过”，另一个是“每个人得到的是自己口令的答案”。坏的调度是百万里挑一，
# 还是很多？让**探索器**（explorer）把步骤的每一种顺序都试一遍，两个问题各试一次。

# %% tags=["core", "stable"]
result = room.explore("all")
print(result)
print(visit(PasscodeChecker, alice_out).explore("all"))
display(figures.outcomes(result, bad=("alice True, mallory True", "alice False, mallory False")))
display(figures.caption("所有的交错，按谁得到什么答案归类。其中两种结果是错的。"))
reveal("01.board", truth="c", because={
    "a": "访客一个接一个时是这样。探索器找到了不成立的顺序。",
    "b": "同一个窗口对两边都起作用：Alice 抬头时，白板上可能是 Mallory 的字。",
    "d": "什么都不会崩溃。每次写都成功，最后一次悄悄获胜。",
}, measured=f"{result.verdict}: {result.coverage}")

# %% [markdown] tags=["core"]
# 机器怎么可能全部试完？大多数切换什么也不改变。只有对同一个字段的访问顺序才重要，而且其中至少有一个是写。访问的顺序一共有
# 252 种，真正不同的有 16 种。
#
# ## 如果没有人强迫它呢？
#
# 现在让线程自由地跑：八个线程同时开始，2,000 个请求，一半对一半错。运行十次。
#
# > **流行的说法：** “它时有时无：多次运行，错误口令通过的数目是 0，然后 3，然后 17。”

# %% tags=["core", "measured", "claim:2"]
short = RaceConfig(threads=8, requests=2_000)
[measure_race(short, lambda: PasscodeChecker("s3cret")).false_accepts for _ in range(10)]

# %% [markdown] tags=["core"]
# **结论：取决于你看多久。** 大多是零。这就是在你机器上是绿色的那个测试。在这种规模的记录里，40 次中有 19 到 31 次什么都没有出现。
# 看久一点：50,000 个请求。
#
# > **流行的说法：** “八个线程时，错误的口令会通过”，对正确的口令却一个字也没提。

# %% tags=["core", "measured", "claim:1", "claim:3"]
longer = measure_race(RaceConfig(threads=8, requests=50_000), lambda: PasscodeChecker("s3cret"))
print("wrong passcodes let in:  ", longer.false_accepts)
print("right passcodes refused: ", longer.false_rejects)

# %% [markdown] tags=["core"]
# **结论：确实会通过，而漏掉“被拒绝”是一个错误。** 除去噪声，误拒绝和误放行一样多。只数闯入，你就只看到了这个 bug 的一半。
#
# ## 哪一个才是旋钮？
#
# > **流行的说法：** “错误率随线程数上升，而且比线性更快。”

# %% tags=["core"]
predict("01.threads", "线程从 2 个到 32 个，每 100,000 个请求中通过的错误口令……", {
    "a": "上升，比线程数还快", "b": "与线程数成正比地上升",
    "c": "持平或下降", "d": "降到零：更多线程在等 GIL"})

# %% tags=["core", "measured", "claim:4"]
by_threads = [measure_race(RaceConfig(threads=n, requests=20_000, spin=4_000))
              for n in (2, 4, 8, 16, 32)]
rates = ", ".join(f"{point.per_100k:.0f}" for point in by_threads)
reveal("01.threads", truth="c", because={
    "a": "那条曲线常有人画，很少有人测。",
    "b": "线程更多，切换并不更多：解释器每个切换间隔交接一次。",
    "d": "等 GIL 的时候，正是别人在用白板的时候。",
}, measured=f"{rates} per 100,000, for 2 to 32 threads")

# %% [markdown] tags=["core"]
# **结论：在有 GIL 时是错的。** 线程数是原来的十六倍，错误率却没有跟着上升。正在运行的线程每过一个**切换间隔**（switch interval，5 毫秒）
# 让出一次，所以每秒的切换次数是固定的。真正起作用的，是时间里有多大的份额花在窗口之内：
#
# $$\text{每个请求的误放行数} \approx \tfrac14 \cdot \frac{\text{gap}}{\text{interval}}$$
#
# 为什么是四分之一？被打断的访客有一半本来就是错的，其中又有一半在白板上遇到一个正确的字。实测的系数大约是 0.2。
# 这个公式有两个界限：
#
# * **间隔比窗口短**时，每次访问都会被打断，这时答案最多有四分之一出错。
# * **间隔短于一毫秒**时，系统做不到：它不会那么快唤醒一个等待的线程。间隔为 0.1 毫秒时，有一次记录只看到公式的十分之一。
#
# 你机器上的其他程序不是第三个界限：所有核心都忙的时候，有一次记录用了更长时间，错误率却没有变。下面的最后一行同时越过了这两个界限。
# 图的下面是一个面板：先动线程数，再动窗口，再动间隔。

# %% tags=["core", "measured"]
by_gap = [measure_race(RaceConfig(requests=n, spin=spin))
          for spin, n in ((1_000, 40_000), (16_000, 5_000), (64_000, 1_500))]
below = measure_race(RaceConfig(requests=2_000, spin=16_000, switch_interval=0.0001))
for point in (*by_gap, below):
    low, high = point.between
    interval = 1e3 * point.config.switch_interval
    print(f"gap {1e6 * point.gap_seconds:4.0f} µs, interval {interval:3g} ms: formula"
          f" {point.predicted_per_100k:6.0f}, measured {low:6.0f} to {high:6.0f} per 100,000")
display(figures.race_sweep(by_threads + by_gap), figures.caption(
    "左：更多线程。实线是实测，虚线是流行的预期。右：更长的窗口。"
    "点随着公式的线上升。竖须是数目的 95 % 区间。"))

# %% tags=["core"]
race_panel()

# %% [markdown] tags=["core"]
# 测得的范围是 95 % 的置信区间：数目小，说明不了什么；少于 20 个事件时，面板会这样告诉你。
#
# **改一行，再运行：** 在打印公式的那个单元格里，给 `RaceConfig` 加上 `switch_interval=0.02`。数目应该降到几分之一？它们真的降了吗？
#
# ## 切换到底可能发生在哪里？
#
# 窗口造成了这个 bug。如果窗口里什么活也没有呢？先预测。然后我们用最短的间隔来数，问这个解释器它在哪里照看别的线程，再问探索器。
#
# > **流行的说法：** “`self.x = v` 是好几条字节码，线程可能在任意两条之间被换下来。”

# %% tags=["core", "fault:checker-no-spin"]
class NoSpin(PasscodeChecker):
    def check(self, candidate):
        self.input_buffer = candidate
        self.result = self.input_buffer == self.correct
        return self.result

# %% tags=["core"]
predict("01.spin", "一百万个请求，写和读之间没有活。有多少错误的口令通过？", {
    "a": "几个", "b": "没有：这个解释器从不在那里切换",
    "c": "没有，所以这个类是正确的"})

# %% tags=["core", "measured", "claim:6"]
quick = RaceConfig(requests=1_000_000, switch_interval=1e-6)
print(measure_race(quick, lambda: NoSpin("s3cret")).false_accepts, "of a million without the loop")
print("switch points without the loop:", *(point.kind for point in switch_points(NoSpin.check)))
print("the explorer:", visit(NoSpin, mallory_in).explore())
figures.switch_points(PasscodeChecker.check)

# %% [markdown] tags=["core"]
# *有标记的是：入口、对* `range` *的调用，以及跳回循环开头。最后一次跳转之后没有任何标记。*
#
# **结论：对 CPython 3.10 及以后、有 GIL 的版本是错的**（对 3.9 是对的）。循环不是“放大”了这个 bug，在这里正是循环让它能够存在。
# 可是探索器仍然说 **broken**，下面才补一句 *not today*：它要求你遵守*语言*的承诺，而不是某一个解释器碰巧的行为。
#
# 现在像同事们常做的那样，加一行无害的代码：调用一段 Python 代码就是一个切换点。它甚至不必看得见。一个带终结器的字符串从白板上掉下来时，
# 它的 `__del__` 就在这次赋值*里面*运行。

# %% tags=["core", "fault:checker-one-call", "fault:checker-finaliser"]
def log(text):
    return f"{text} a passcode"

class OneCall(PasscodeChecker):
    def check(self, candidate):
        self.input_buffer = candidate
        log("checking")
        self.result = self.input_buffer == self.correct
        return self.result

class Word(str):
    def __del__(self):
        pass

class Finaliser(PasscodeChecker):
    def check(self, candidate):
        self.input_buffer = Word(candidate)
        self.result = self.input_buffer == self.correct
        return self.result

# %% tags=["core", "measured"]
for checker in (NoSpin, OneCall, Finaliser):
    found = measure_race(quick, lambda: checker("s3cret"))
    wrong = found.false_accepts + found.false_rejects
    print(f"{checker.__name__:10} {wrong:5} wrong answers in a million")
reveal("01.spin", truth="b" if gil_enabled() else "a", because={
    "a": "Python 3.9 是这样。从 3.10 起，这两次访问之间没有切换点。",
    "b": "有 GIL 时，今天如此。没有它，任何指令都可能碰上别的线程。",
    "c": "一行日志、一个 property、一个终结器，或者没有 GIL 的版本，都会把竞态带回来。",
}, measured="上面的数目：没有调用，有一个调用，有一个隐藏的调用")

# %% [markdown] tags=["core"]
# 对 **C** 的调用也会让别人进来吗？许多人试了 `len`，什么也没看到，就下结论说不会。

# %% tags=["core", "measured"]
def with_call(line):
    """NoSpin with one more line between its write and its read."""
    source = inspect.getsource(NoSpin.check).replace("candidate\n", f"candidate\n        {line}\n", 1)
    scope = {"sink": StringIO()}
    exec(textwrap.dedent(source), scope)
    return type("WithCall", (PasscodeChecker,), {"check": scope["check"]})

for line in ("len(candidate)", "abs(1)", "candidate.strip()", "range(3)", "print(end='', file=sink)"):
    found = measure_race(quick, lambda: with_call(line)("s3cret"))
    print(f"{line:25} {found.false_accepts + found.false_rejects:6} wrong answers in a million")

# %% [markdown] tags=["core"]
# `len` 是例外，不是规律：CPython 为它准备了一条专门的指令，这条指令不照看别的线程。其他对 C 的调用确实会让别人进来。有一次记录里，
# `len` 是 0，`abs` 和 `strip` 大约 150，`range` 是 464，`print` 超过 30,000。所以，不要在脑子里留一张“安全”调用的清单。
#
# **改一行，再运行：** 在 `OneCall` 里，把 `log("checking")` 换成你自己选的一个调用，再数一遍。
#
# ## 修了一半
#
# 问题出在白板，于是有人把白板拿走了。

# %% tags=["core", "fault:checker-shared-result"]
class NoBoard(PasscodeChecker):
    def check(self, candidate):
        self.result = candidate == self.correct   # 不再有 input_buffer
        for _ in range(1000):                     # 把这次访问记进账本
            pass
        return self.result

# %% tags=["core"]
predict("01.half", "现在只有 `result` 是共享的。这个 bug 还剩下多少？", {
    "a": "没有了，candidate 是局部的", "b": "Alice 可能被拒绝，但 Mallory 进不去",
    "c": "全部：Mallory 进去，Alice 被拒绝"})

# %% tags=["core", "measured", "claim:5"]
half = visit(NoBoard, mallory_in).explore()
print(half.verdict, "|", visit(NoBoard, alice_out).explore().verdict)
print(measure_race(RaceConfig(requests=20_000), lambda: NoBoard("s3cret")))
display(half.minimal.show())
reveal("01.half", truth="c", because={
    "a": "答案仍然经过一个共享的属性，而返回之前有一个窗口。",
    "b": "Mallory 存入 False，Alice 存入 True，Mallory 返回她看到的：True。",
}, measured=f"{half.verdict}, {half.minimal.preemptions} preemption")

# %% [markdown] tags=["core"]
# > **流行的说法：** “`self.result` 也有错。”
#
# **结论：取决于中间的那一行。** 存进去马上读出来，在 3.11 到 3.13 上从未失败；中间有活要干，就像上面那样失败。两个共享字段，两个窗口。
#
# ## 你就是调度器
#
# 按一个名字，那个线程就走一步。目标：用最少的切换让 Mallory 进去。（如果你看到的页面没有按钮，上面的 `play([...])` 效果相同。）

# %% tags=["core"]
scheduler_panel(room)

# %% [markdown] tags=["deeper"]
# 单元 00 的游戏里，有七关属于这一课。其中一关是做不到的，这时你要说出来。

# %% tags=["deeper"]
game_panel("wrong-in", "right-out", "lost-update", "only-two", "twins", "swapped", "shared-result")

# %% [markdown] tags=["deeper"]
# > **流行的说法：** “这是可见性问题：一个核心看不到另一个核心写的东西。”
#
# 下面是专门为这个问题设计的测试。每个线程先举起自己的旗子，再看对方的旗子。探索器说，没有任何一种步骤顺序会让*两个人都*看不见。
# 只有陈旧的内存才做得到。

# %% tags=["deeper", "measured", "claim:14"]
from concurrent.futures import ThreadPoolExecutor

class Flags:
    def __init__(self):
        self.left = self.right = 0

    def raise_left(self):
        self.left = 1
        return self.right

    def raise_right(self):
        self.right = 1
        return self.left

def both_blind(flags, saw):
    return saw["left"] == saw["right"] == 0

sides = {"left": Flags.raise_left, "right": Flags.raise_right}
flags = Scenario(setup=Flags, threads=sides, never=both_blind)
print("both blind, in any order of the steps:", flags.explore())

def round_of(flags):
    saw = {side: pool.submit(look, flags) for side, look in sides.items()}
    return both_blind(flags, {side: future.result() for side, future in saw.items()})

with ThreadPoolExecutor(2) as pool:
    print("both blind on real threads:", sum(round_of(Flags()) for _ in range(5_000)), "of 5,000 rounds")

# %% [markdown] tags=["deeper"]
# **结论：没有证据。** 这一课里没有任何现象需要用陈旧的内存来解释。被破坏的是*原子性*：本该在一起的两次访问被拆开了。
#
# 那么没有 GIL 呢？这里把一个自由线程（free-threaded）的版本和普通版本放在一起，是为这门课在两个核心上记录的一次数据。

# %% tags=["deeper"]
print("GIL here:", "on" if gil_enabled() else "off", "|", longer)
display(figures.free_threaded(FREE_THREADED, spin=1000))
figures.caption("记录的数据（CPython 3.13.0 和 3.13.5t，5 毫秒）：没有 GIL 时，是 10 到 60 倍。")

# %% [markdown] tags=["core"]
# ## 两种修法，都已证明
#
# 要么没有人共享白板，要么每次只让一个访客使用它。单元 02 会比较各种修法，这里先看两种。

# %% tags=["core", "fix:checker-shared-buffer", "fix:checker-false-reject", "fix:checker-shared-result", "fix:checker-no-spin", "fix:checker-one-call", "fix:checker-finaliser"]
from threading import Lock

class OwnBoard(PasscodeChecker):
    def check(self, candidate):
        mine = candidate                 # 自己手里的一张纸条
        for _ in range(1000):
            pass
        return mine == self.correct

class OneDoor(PasscodeChecker):
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result = correct, "", False
        self.door = Lock()

    def check(self, candidate):
        with self.door:                  # 从写到最后一次读
            self.input_buffer = candidate
            for _ in range(1000):
                pass
            self.result = self.input_buffer == self.correct
            return self.result

# %% tags=["core", "stable"]
for fixed in (OwnBoard, OneDoor):
    for never in (mallory_in, alice_out):
        print(f"{fixed.__name__:9} {never.__name__:11} {visit(fixed, never).explore().verdict}")

# %% [markdown] tags=["core"]
# *proved*（已证明）的意思是：访问的每一种顺序都试过了，没有一种破坏不变式。一百万个安静的请求说不出这句话；`NoSpin` 当时也很安静。
#
# **改一行，再运行：** 在 `OneDoor` 里，把 `return` 移到 `with` 块的外面。还能证明吗？
#
# ## 谁能影响谁？
#
# 刚才你得先想出两个不变式。下面这个问题适用于任何系统：*谁的输入能影响谁的答案？* 让每个访客轮流说两种口令，每次都试遍所有顺序。
# 如果 Alice 可能得到的答案的**集合**随着 Mallory 的口令而变，那么 Mallory 就影响了 Alice，这就是一个**泄漏**（leak）。*schedule* 那一列问的是：
# 所有口令都不变时，她的答案会不会变。
#
# 影响也可能缺失，叫做**丢失**（lost）。`AlwaysNo` 在任何顺序下都不让 Mallory 进去：它很安全，也毫无用处。

# %% tags=["core", "stable"]
class AlwaysNo(PasscodeChecker):
    def check(self, candidate):
        self.input_buffer = candidate
        return False

calls = {name: lambda checker, word: checker.check(word) for name in ("alice", "mallory")}
words = {name: ["s3cret", "guess"] for name in calls}

def who(checker):
    return influence.threads(lambda: checker("s3cret"), calls, words)

matrices = {checker.__name__: who(checker) for checker in (PasscodeChecker, AlwaysNo, OneDoor)}
print(matrices["PasscodeChecker"].witnesses["mallory", "alice"])
print(matrices["AlwaysNo"].witnesses["alice", "alice"])
for checker in (PasscodeChecker, AlwaysNo, OneDoor):
    print(checker.__name__, "is", influence.serialisable(visit(checker, mallory_in)).verdict)
figures.influence(matrices)

# %% [markdown] tags=["core"]
# *一行是一个答案，一列是一个输入。左：每个访客的口令，以及单单是顺序，都会到达对方的答案。中：连自己的口令都到不了。右：
# 只有自己的口令能到，别的都不能。*
#
# 这张图需要的是一个声明，而不是一个不变式：自己的口令**必须**到达自己的答案，别的都**不许**到达。它会在每个单元里再次出现，一直到语言模型
# 缓存的块。*serialisable*（可串行化）连声明都不需要：每个结果都必须是访客一个接一个时也能得到的。它能发现竞态，但对 `AlwaysNo` 没有意见。
#
# **改一行，再运行：** 把 `NoBoard` 加进 matrices。修了一半，堵住了哪怕一个泄漏吗？
#
# ## 代价是多少？

# %% tags=["core"]
predict("01.price", "加锁的检查器比有 bug 的慢多少？", {
    "a": "大约十倍", "b": "大约两倍", "c": "几乎看不出来"})

# %% tags=["core", "measured"]
from timeit import timeit

best = {PasscodeChecker: 1.0, OwnBoard: 1.0, OneDoor: 1.0}
for turn in range(20):                   # 轮流来，取最好的：别的程序只会让它变慢
    for checker in best:
        seconds = timeit(lambda: checker("s3cret").check("guess"), number=300)
        best[checker] = min(best[checker], seconds)
ratios = ", ".join(f"{checker.__name__} {s / best[PasscodeChecker]:.2f}" for checker, s in best.items())
reveal("01.price", truth="c", because={
    "a": "那需要几乎是空的临界区，或者真正并行的线程。",
    "b": "锁的代价远小于一微秒；翻书的代价大得多。",
}, measured=f"时间，以有 bug 的检查器为 1：{ratios}")

# %% [markdown] tags=["core"]
# 访客们从来没有并行过：GIL 本来就只让其中一个运行。所以*在这里*，锁几乎没有拿走什么。在线程真正一起等待或一起计算的地方，锁的代价更大，
# 单元 02 会测量它。
#
# ## 那条线
#
# | 必须共享 | 必须隔离 |
# |---|---|
# | `correct`：只写一次，大家都读 | `candidate`：一次访问自己的口令 |
# | 锁，如果有锁的话 | 答案，直到它的主人拿到为止 |
#
# 每个设计都要问三个问题。*这个状态可以拆开吗？* 可以：每次访问都可以有自己的口令。*怎样再合起来？* 不必合：一个答案只属于一次访问。
# *这样做的代价小于收益吗？* 一个局部变量不花什么。
#
# ## 检查一下自己
#
# <details><summary>为什么 2,000 个安静的请求什么也证明不了？</summary>因为窗口只在很小一部分时间里是开着的：期望的数目小于一。</details>
# <details><summary>你的检查器没有循环，也没有调用。它安全吗？</summary>在这个解释器上，今天是的。语言并没有承诺这一点。</details>
# <details><summary>想更常看到竞态，你会转哪个旋钮？</summary>更长的窗口，或更短的间隔。不是更多的线程。</details>
#
# ## 通往实验的门
#
# 六个练习，带提示。下一个单元格为你做一份自己的副本；已经有的副本绝不会被覆盖。

# %% tags=["core"]
from sharedstate import workspace

workspace.door("01", "zh-CN")
