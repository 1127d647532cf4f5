# %% [markdown] tags=["core"]
# # 00 · 从这里开始
#
# *15 分钟。*
#
# 咖啡馆里只有一张点单。Anna 在上面写 *tea*，Ben 在上面写 *coffee*。两个人各自走到柜台，拿到点单上写的东西。**由你决定谁走下一步。**
# 点进下一个单元格，按 **Shift+Enter**，让 Anna 拿到一杯咖啡。

# %% tags=["core"]
from sharedstate.panels import game_panel

game_panel("coffee")

# %% [markdown] tags=["core"]
# 成功了吗？那么你刚刚让一个**竞态**（race）发生了。Anna 没有做错什么，Ben 也没有。点单是*共享*的，两个人都在上面*写*，而没有任何东西把他们隔开。
#
# 这门课讲的就是这一族 bug：**共享的状态在别人还依赖它的时候变了**。你会在一个十二行的口令检查器里遇到它，在随机数里、在注意力掩码里、在语言模型的
# 缓存里，以及在它外面的服务器里。每一次，你都故意让 bug 发生，看见它，解释它，修好它，并*证明*修好了。
#
# ## 你在哪里
#
# 下一个单元格知道你学到了哪里。它的按钮会为你做一份实验的副本，并给出链接。

# %% tags=["core", "measured"]
from sharedstate.panels import start_page

start_page()

# %% [markdown] tags=["core"]
# ## 你的机器
#
# 这里的一切，两个核心、没有显卡就够了。你的机器有这些：

# %% tags=["core", "measured"]
from sharedstate.commands import doctor

shown = ("Python", "GIL", "machine", "packages", "widgets", "torch", "GPU")
print(doctor.report([finding for finding in doctor.examine() if finding.name in shown]))

# %% [markdown] tags=["core"]
# 其中三行以后会用到。
#
# * **GIL**：*全局解释器锁*是否每次只让一个线程运行（`on`），还是你的 Python 是*自由线程*的（`off`）？单元 01 会说明这改变了什么，没有改变什么。
# * **machine**：核心的数目决定你看到的时间，从不决定你看到的 bug。
# * **GPU**：后面的单元有少数单元格可以用显卡。没有显卡时，它们在 CPU 上以小规模运行，并且说明这一点。bug 是一样的。
#
# 如果某一行写着 *problem*，它下面的箭头会说出补救的办法。`python run.py doctor` 打印完整的报告。

# %% [markdown] tags=["core"]
# ## 同一个竞态，用真正的线程
#
# 在游戏里，顺序由你选择。现在两个真正的线程共用一张点单，没有人选择。

# %% tags=["core"]
from sharedstate.panels import predict, reveal

predict("00.slip", "两个人都在走到柜台之前写好了。他们喝到什么？", {
    "a": "Anna 喝茶，Ben 喝咖啡",
    "b": "两个人一样",
    "c": "每次都不同",
})

# %% [markdown] tags=["core"]
# `Barrier` 就是走到柜台的那段路：两个人都写完之前，没有线程能通过它。

# %% tags=["core", "stable"]
from threading import Barrier, Thread

slip, drinks = {}, {}                        # 所有人共用一张点单
both_have_written = Barrier(2)

def order(guest, drink):
    slip["order"] = drink                    # 写
    both_have_written.wait()                 # 走到柜台
    drinks[guest] = slip["order"]            # 读

guests = [Thread(target=order, args=pair) for pair in (("Anna", "tea"), ("Ben", "coffee"))]
for guest in guests:
    guest.start()
for guest in guests:
    guest.join()
print("two orders, kinds of drink served:", len(set(drinks.values())))

# %% tags=["core"]
reveal("00.slip", truth="b", because={
    "a": "点单只有一张。上面只有一个词，就是最后写的那个。",
    "c": "谁最后写可能不同。总有一个人拿错，这一点不变。",
}, measured="每次运行，两份点单只出一种饮料")

# %% [markdown] tags=["core"]
# 想的话，再运行十次。总有一个客人拿错，而且从来不是运气。这是这门课的承诺：我们谈到的 bug 都是**被强迫**的，所以每次运行都发生。凡是让线程自由
# 运行的地方，我们只给出数目，不作承诺。
#
# **改一行，再运行：** 把点单改成 `slip[guest] = drink`，读的时候用 `slip[guest]`。现在共享的是什么？

# %% [markdown] tags=["core"]
# ## 看见它
#
# 用屏障强迫竞态是一种办法。更好的办法是决定*每一步*，就像你在游戏里那样。下面把咖啡馆写成一个类，再加上有两位客人的 `Scenario`。`never` 说的是什么不许发生。

# %% tags=["core"]
from sharedstate import figures
from sharedstate.interleave import Scenario

class Cafe:
    def __init__(self):
        self.menu = ("tea", "coffee")        # 挂在墙上，没有人在上面写
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
# Anna 走一步：她写。Ben 走完他所有的步骤。然后 Anna 继续。

# %% tags=["core", "handout", "stable"]
figures.interleaving(evening(Cafe).play(["anna", "ben*", "anna*"]))

# %% [markdown] tags=["core"]
# *时间从上往下，每位客人一条道。Anna 读到的是 Ben 写的。*
#
# 如果一个接一个呢？

# %% tags=["core", "stable"]
figures.interleaving(evening(Cafe).play(["anna*", "ben*"]))

# %% [markdown] tags=["core"]
# *同样的代码，另一种顺序，没有人吃亏。你的测试试的就是这种顺序。*
#
# **改一行，再运行：** 试试 `["anna", "ben", "anna*", "ben*"]`。这次谁拿错？
#
# ## 全部试一遍
#
# 两位客人各走两步，一共有六种交错的方式。探索器把它们全部试一遍。

# %% tags=["core", "stable"]
found = evening(Cafe).explore("all")
print(found)

# %% tags=["core"]
figures.outcomes(found, bad=("anna tea, ben tea", "anna coffee, ben coffee"))

# %% [markdown] tags=["core"]
# *可能的结果有三种：两个都对，两杯都是茶，两杯都是咖啡。叉号标出不许发生的结果。*
#
# （*not today*：这个 Python 碰巧不在那里切换。单元 01 会说明这帮不了多少忙。）
#
# ## 修好它，并证明
#
# 给每位客人一张自己的点单。在 Python 里，这就是局部变量。菜单可以挂在墙上给所有人看：它是共享的，没有人在上面写。

# %% tags=["core", "stable"]
class OwnSlips(Cafe):
    def order(self, drink):
        mine = drink                         # 自己的一张点单
        return mine if mine in self.menu else "water"

print(evening(OwnSlips).explore("all"))

# %% [markdown] tags=["core"]
# **Proved**（已证明）是一个很重的词。它的意思是：步骤的每一种顺序都试过了，没有一种造成损害。它的意思不是“我们运行了一百万次，什么也没看到”。
# 在这门课里，两种说法你都会遇到，也会明白它们为什么不同。
#
# **改一行，再运行：** 在 `OwnSlips` 里重新写上 `self.slip = drink`，并用 `self.slip` 代替 `mine`。探索器怎么说？

# %% [markdown] tags=["core"]
# ## 一节课怎样进行
#
# 每节课都有这样的节奏：
#
# 场景 → **预测** → 重现 → **看见** → 解释 → **修好** → **证明** → 付出代价 → 那条线
#
# * 运行之前先**预测**。你的选择会被保存，并和测量结果放在一起。问题下面保存的输出在你运行之前是折叠的，所以先猜：猜错是一节课里最好的时刻。
# * **流行的说法**会作为说法引用。你先预测，再测量，然后才有结论。许多关于线程的流行说法是错的，或者只在某些时候是对的。
# * **改一行，再运行**是一个邀请。你弄不坏任何东西：Ctrl+Z 撤回改动，`python run.py build 01` 重新生成第 01 课。
# * **面板**有滑块。每个面板旁边都有一张普通的图，给没有按钮的页面用。内核重启之后，面板会说出来：再运行一次它的单元格。
# * **Fault 编号**，例如 `PY-02`，是在真实软件里发现过的一个 bug 的名字。`python run.py faults PY-02` 展示它、它无害的对照和它的修法；单元 11 讲它的故事和出处。
# * 有些部分是*更深入*的。第一次读时可以跳过。
#
# 出错的类总是放在单元格里，你可以动手改。机器部分来自 `sharedstate` 这个包。

# %% [markdown] tags=["core"]
# ## 一个实验怎样进行
#
# 除了这一课，每节课都有一个实验，包含三到七个练习。一节课的最后一个单元格，或者上面的按钮，会在 `my-labs/` 里做一份**你自己的副本**。任何更新都不会动那个文件夹。
#
# * 在写着 `# your code here` 的地方写，然后运行下面的检查。它告诉你*你的*答案错在哪里；如果是竞态，还会给出打破它的调度。永远循环的答案会被停下来，你的内核还活着。
# * 每个练习下面折叠着三个**提示**。第三个几乎就把答案说出来了。
# * 你的**进度**是 `my-labs/` 里的一个文件。更新之后它还在。`python run.py progress --export FILE` 做一份拷贝。
# * 想重新开始？`python run.py reset 01` 会把你旧的实验留作带日期的备份。

# %% [markdown] tags=["core"]
# ## 如果出了问题
#
# * 运行太久的单元格有一个星号 `[*]`。用方形按钮停下它，或者按两次 **I**。
# * 单元格一个建立在另一个之上。缺少名字时，选 *Run* → *Run All Above Selected Cell*。
# * 永远等待的线程停不下来。重启内核：你的实验和进度是文件，不会丢。
# * 时间和比率因机器而异。如果*结论*不同，那就是这门课的 bug：请报告它。

# %% [markdown] tags=["core"]
# ## 地图

# %% tags=["core"]
from sharedstate import syllabus

units = [{"name": unit.name, "minutes": unit.minutes} for unit in syllabus.units()]
figures.course_map(units, here="00")

# %% [markdown] tags=["core"]
# *从口令检查器（01）到语言模型的服务器（09），然后是诊断、真实的事故和面试练习。分钟数是课的时间；实验大约还要同样长。*
#
# 先讲线程，因为在那里 bug 最小。然后是随机数（03）。接着，同样的两个问题解释注意力（04、05）、缓存（06 到 08）和批处理（09）：*谁可以在这里写，谁能看到它？*

# %% [markdown] tags=["core"]
# ## 那条线
#
# 每节课的结尾都在自己的系统里画一条线。这是咖啡馆的线。
#
# | 必须共享 | 必须隔离 |
# |---|---|
# | 菜单：只写一次，大家都读 | 点单：一位客人自己的单子 |
#
# **共享不是 bug。共享却不说清楚谁可以写、何时写、别人何时看到，才是 bug。**
#
# 三个问题对每个设计都有用。*状态可以拆开吗？* 可以，每位客人一张点单。*怎样再合起来？* 不必合：每位客人拿自己的饮料。
# *这样做的代价小于收益吗？* 一张纸条，换一杯不拿错的饮料。
#
# 学完这门课，你可以看着一个从未见过的系统，列出它的各部分共享的状态，说出谁可以写、何时写，强迫出打破它的那一种顺序，并说明你的修法不留下任何这样的顺序。
#
# 现在打开 `01_passcode_race`。在那里，点单决定谁能进门。
