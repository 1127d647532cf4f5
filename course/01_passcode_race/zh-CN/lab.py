# %% [markdown] tags=["core"]
# # 实验 01 · 口令竞态
#
# *六个练习，大约 58 分钟。90 分钟的课上，做前两个。*
#
# 在写着 `# your code here` 的地方写你的答案，然后运行它下面的检查。检查会告诉你*你的*答案错在哪里；如果是竞态，还会给出打破它的调度
# （检查的回答是英文）。它会多次调用你的函数，所以不要改动传给它们的参数。提示是折叠的，第三个几乎就把答案说出来了。你的进度保存在 `my-labs/`。

# %% tags=["core", "setup"]
from sharedstate.checks import check
from sharedstate.interleave import Scenario
from sharedstate.workspace import where_am_i

where_am_i()

# %% [markdown] tags=["core"]
# ## 01.1 让 Mallory 进去
#
# *10 分钟 · 难度 1/3 · 2 分*
#
# 这是一个新的检查器。它会数访问次数，字段的名字也换了。你又是调度器。
#
# 写一个**调度**，也就是一个由词组成的列表：
#
# * `"alice"` 是一步（对字段的一次访问），`"alice*3"` 是三步，`"alice*"` 是她剩下的所有步骤。
# * Mallory 用她错误的口令进去。
# * **切换次数最少**，而且两个访客都走完。
# * 明天有位同事会在 `check` 的末尾加一行。你的调度到时仍然有效。
#
# 例子：`["alice*2", "mallory*", "alice*"]` 有两次切换，Mallory 被拒绝。

# %% tags=["core"]
class VaultChecker:
    def __init__(self, correct):
        self.correct = correct
        self.visits = 0
        self.candidate = ""
        self.opened = False

    def check(self, passcode):
        self.visits += 1
        self.candidate = passcode
        matches = self.candidate == self.correct
        self.opened = matches
        return self.opened

vault = Scenario(
    setup=lambda: VaultChecker("s3cret"),
    threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
    never=lambda c, answers: answers["mallory"] is True,
)
vault.play(["alice*2", "mallory*", "alice*"]).show()

# %% tags=["core", "exercise:01.1"]
schedule = ...
### BEGIN SOLUTION
schedule = ["mallory*3", "alice*", "mallory*"]
### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("01.1")

# %% [markdown] tags=["core", "hints:01.1"]
# <details><summary>提示 1</summary>Mallory 必须在 Alice 来之前写好，在 Alice 走之后再看。</details>
# <details><summary>提示 2</summary>Mallory 的哪一步是对 <code>candidate</code> 的写？记住 <code>+=</code> 是两步。</details>
# <details><summary>提示 3</summary>Mallory 走到她的写为止（包括这一步），那是她的第三步；Alice 走到底；Mallory 走到底。</details>

# %% [markdown] tags=["core"]
# ## 01.2 说出每一次共享访问
#
# *8 分钟 · 难度 1/3 · 2 分*
#
# 要保护共享状态，先要看见它。对下面每个方法，想象在一个新对象上调用一次，列出对别的线程够得着的东西的每一次访问：
#
# * 按照**发生的顺序**；
# * 写成 `"read field"` 或 `"write field"`（field 是字段名）；
# * 不写局部变量；类的属性和对象的属性一样算。
#
# 第一个类已经替你写好了。

# %% tags=["core"]
class Turnstile:
    def __init__(self):
        self.last = ""

    def enter(self, name):
        self.last = name
        greeting = "Hello, " + self.last
        return greeting

class Visits:
    def __init__(self, limit):
        self.total, self.limit = 0, limit

    def enter(self, name):
        mine = name.strip()
        self.total += 1
        number = self.total
        return mine if number <= self.limit else None

# %% tags=["core"]
class Badge:
    issued = 0                # 在类上

    def __init__(self):
        self.owner = None

    def issue(self, name):
        if self.owner is None:
            Badge.issued = Badge.issued + 1
            self.owner = name
        return self.owner

# %% tags=["core", "exercise:01.2"]
accesses = {
    "Turnstile": ["write last", "read last"],
    ### BEGIN SOLUTION
    "Visits": ["read total", "write total", "read total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
    ### END SOLUTION
}

# %% tags=["core"]
from sharedstate.checks import check

check("01.2")

# %% [markdown] tags=["core", "hints:01.2"]
# <details><summary>提示 1</summary>用手指点住每一个点号：<code>self.某某</code> 和 <code>Badge.某某</code>。</details>
# <details><summary>提示 2</summary><code>self.total += 1</code> 先读，再加，再写。赋值时，右边先发生。</details>
# <details><summary>提示 3</summary><code>Visits</code> 有四次访问，最后一次是 <code>read limit</code>。<code>Badge</code> 有五次，开头和结尾都是 <code>read owner</code>。</details>

# %% [markdown] tags=["core"]
# ## 01.3 两个不变式
#
# *10 分钟 · 难度 2/3 · 2 分*
#
# 一场竞态已经跑完。`asked` 把每个名字对应到试过的口令，`answers` 把每个名字对应到答案：True、False，或者线程抛出的异常。写出两个不变式。
# 每个函数**在不变式成立时返回 True**：
#
# 1. 错误的口令不能通过；
# 2. 每个人得到的是自己口令的答案。
#
# 例子：`correct="s3cret"`，`asked={"alice": "s3cret", "mallory": "guess"}`，`answers={"alice": True, "mallory": True}` 两个都被破坏。

# %% tags=["core", "exercise:01.3"]
def no_wrong_passcode_passes(correct, asked, answers):
    """True when nobody with a wrong passcode got True."""
    ### BEGIN SOLUTION
    return not any(answers[name] is True and asked[name] != correct for name in asked)
    ### END SOLUTION

def everybody_gets_their_own_answer(correct, asked, answers):
    """True when each caller got True exactly for the right passcode."""
    ### BEGIN SOLUTION
    return all(answers[name] is (asked[name] == correct) for name in asked)
    ### END SOLUTION

invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% tags=["core"]
from sharedstate.checks import check

check("01.3")

# %% [markdown] tags=["core", "hints:01.3"]
# <details><summary>提示 1</summary>逐个看 <code>asked</code> 里的名字。谁是对的？<code>asked[name] == correct</code>。名字本身没有意义。</details>
# <details><summary>提示 2</summary>在 <code>if</code> 里，一个异常对象算作真。要问 <code>is True</code>。</details>
# <details><summary>提示 3</summary><code>not any(answers[n] is True and asked[n] != correct for n in asked)</code> 是第一个。第二个：对所有人，把 <code>answers[n]</code> 和它应有的值比较。</details>

# %% [markdown] tags=["core"]
# ## 01.4 什么也不丢的测量工具
#
# *12 分钟 · 难度 3/3 · 3 分*
#
# 要测量竞态，你需要一个自己没有竞态的工具。写 `measure(check, candidates, threads)`：
#
# * 它对每个 candidate 调用一次 `check(candidate)`，同时用 `threads` 个线程。
# * 它**按 candidates 的顺序**返回答案。
# * 线程里什么也不打印：那些文字会落在正好在运行的单元格里。
# * 如果 `check` 在线程里抛出异常，`measure` 的调用者要得到这个异常。默认情况下它会消失，单元格看起来一切正常。
#
# 例子：`measure(lambda c: c == "s3cret", ["guess", "s3cret"], 2)` 返回 `[False, True]`。

# %% tags=["core", "exercise:01.4"]
def measure(check, candidates, threads):
    """Return check's answers, one for each candidate, in order."""
    ### BEGIN SOLUTION
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(check, candidates))
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("01.4")

# %% [markdown] tags=["core", "hints:01.4"]
# <details><summary>提示 1</summary>工作线程返回数据；由主线程收集，也只有主线程打印。</details>
# <details><summary>提示 2</summary><code>Future</code> 会记住工作线程的异常，在你要 <code>result()</code> 时抛出。见 <code>concurrent.futures</code>。</details>
# <details><summary>提示 3</summary><code>ThreadPoolExecutor(threads)</code> 有一个保持顺序的 <code>map</code>。趁线程池还开着，把它给的东西变成列表。</details>

# %% [markdown] tags=["core"]
# ## 01.5 滑块起什么作用？
#
# *8 分钟 · 难度 2/3 · 2 分*
#
# 在移动面板的滑块之前，先写下它们的作用。一半的请求带着错误的口令。`gap` 是写和读之间的时间，`interval` 是切换间隔，单位都是秒。返回在 GIL 下
# 你预期的误放行数目：
#
# * 你的系数可以是 0.15 到 0.30 之间的任何数（推理说 ¼，实测说大约 0.2）。
# * 也要想到滑块的两端：只有一个线程，没有窗口，窗口比间隔还长。
#
# 例子：`false_accepts(100_000, 8, 20e-6, 0.005)` 大约是 100。

# %% tags=["core", "exercise:01.5"]
def false_accepts(requests, threads, gap, interval):
    """Return the expected number of wrong passcodes that pass."""
    ### BEGIN SOLUTION
    if threads == 1:
        return 0
    return requests * 0.25 * min(1, gap / interval)
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("01.5")

# %% [markdown] tags=["core", "hints:01.5"]
# <details><summary>提示 1</summary>四个参数中有一个几乎不重要。课上说明了哪一个没有作用？</details>
# <details><summary>提示 2</summary>切换落进这个请求的窗口的机会是 <code>gap / interval</code>，而机会最多是 1。</details>
# <details><summary>提示 3</summary><code>requests * 0.25 * min(1, gap / interval)</code>，只有一个线程时除外。</details>

# %% [markdown] tags=["core"]
# ## 01.6 问探索器
#
# *10 分钟 · 难度 2/3 · 3 分*
#
# 到现在为止，都是实验替你问探索器。现在由你来问。写 `verdict(checker)`：
#
# * `checker` 是一个像上面那样的类：`checker("s3cret")` 造出一个，`check(passcode)` 回答 True 或 False。
# * 让 Alice（口令正确）和 Mallory（口令错误）在两个线程里使用**同一个**检查器，并试遍**每一种顺序**。
# * 每个人必须得到自己口令的答案。两个不变式都要问。
# * 返回探索器自己的词：`"proved"`、`"broken"` 或 `"deadlock"`。
#
# 例子：对有共享白板的检查器，这个词是 `"broken"`；对用局部变量的，是 `"proved"`。01.1 的 `Scenario` 演示了怎么问；`Scenario(...).explore()`
# 返回的结果带有 `verdict`。

# %% tags=["core", "exercise:01.6"]
def verdict(checker):
    """Return "proved", "broken" or "deadlock" for a checker class."""
    ### BEGIN SOLUTION
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda c, answers: answers["alice"] is not True or answers["mallory"] is not False,
    )
    return room.explore().verdict
    ### END SOLUTION

# %% tags=["core"]
check("01.6", verdict)

# %% [markdown] tags=["core", "hints:01.6"]
# <details><summary>提示 1</summary><code>setup</code> 必须为每次运行造一个新的检查器：给它一个函数，而不是一个对象。</details>
# <details><summary>提示 2</summary><code>never</code> 得到检查器和按名字排列的答案。对不许发生的事返回 True：Alice 没有被接受，或者 Mallory 没有被拒绝。</details>
# <details><summary>提示 3</summary>照抄 01.1 的 Scenario，在 <code>setup</code> 里写 <code>checker("s3cret")</code>，把 <code>never</code> 扩大到两个访客，然后返回 <code>.explore().verdict</code>。</details>

# %% [markdown] tags=["core"]
# ## 你带走了什么
#
# 你能让竞态发生，能说出它需要哪两次访问，能说出它破坏了什么，能不添新竞态地测量它，还能把每一种顺序都试一遍。单元 02 用四种办法修好这个竞态，
# 并找出那些只是看起来像修法的修法。
