"""Exercise 11.3: a setting of the process, set for one job and put back."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record
from sharedstate.checks.values import SlipTable

KEYS = ("result", "raised", "inside", "after", "jobs")
NONE, FAILS = "nothing", "the job failed"


class Settings:
    """Settings of a process: plain values by name."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = dict(values)

    def has(self, name: str) -> bool:
        """Say whether there is such a setting."""
        return name in self.values

    def get(self, name: str) -> Any:
        """Return its value; raises LookupError."""
        if name not in self.values:
            raise LookupError(f"no setting {name!r}")
        return self.values[name]

    def put(self, name: str, value: Any) -> None:
        """Set it."""
        self.values[name] = value

    def remove(self, name: str) -> None:
        """Take it away; raises LookupError."""
        self.get(name)
        del self.values[name]


class Job:
    """A job: looks at the setting, does something to it, returns a value or raises."""

    def __init__(self, settings: Settings, plan: dict[str, Any]) -> None:
        self.settings, self.plan = settings, plan
        self.inside: list[list[Any]] = []

    def __call__(self) -> Any:
        """Run once."""
        name = self.plan["name"]
        self.inside.append([self.settings.has(name), self.settings.values.get(name)])
        if self.plan["does"] == "changes":
            self.settings.put(name, "the job's own")
        elif self.plan["does"] == "removes":
            self.settings.remove(name)
        if self.plan["raises"]:
            raise ValueError(FAILS)
        return self.plan["returns"]


class Borrowed(SlipTable, Exercise):
    """The answer is borrowed(settings, name, value, job)."""

    id = "11.3"
    title = "Leave it as you found it"
    answer = "borrowed"
    minutes = 10
    difficulty = 2
    points = 2.0
    expects = "a function"
    slips = MappingProxyType({
        "there is none": ("leaves-it", "there was no such setting, and afterwards there must be none."),
        "there is one": ("loses-the-old", "the old value is back afterwards."),
        "it is None": ("none-is-a-value", "None is a value, too: a setting that was None is None again."),
        "it is empty": ("none-is-a-value", "an empty text is a value, too."),
        "set to None": ("none-is-a-value", "the job must find the setting, with None as its value."),
        "the job raises": ("not-after-a-failure", "a job that raises leaves the setting behind all the same."),
        "raises, and there was none": ("not-after-a-failure", "after a job that raised, a setting that was not "
                                                              "there must be gone."),
        "the job changes it": ("trusts-the-job", "whatever the job put there, the old value comes back."),
        "the job removes it": ("trusts-the-job", "the job has removed the setting: the old value comes back."),
        "removed, and there was none": ("trusts-the-job", "the job has removed the setting already, and it was not "
                                                          "there before: that is fine, and no error."),
        "removed, then raised": ("trusts-the-job", "the caller must get the job's own exception."),
        "it has this value already": ("loses-the-old", "it had the same value before, so it stays."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case a slip."""
        one, two = self.draw(seed).sample(["Tokyo", "Lima", "Oslo", "Quito"], 2)
        return [
            _case("there is none", {}, one, visible=True),
            _case("there is one", {"zone": one}, two),
            _case("it is None", {"zone": None}, two),
            _case("it is empty", {"zone": ""}, two),
            _case("set to None", {"zone": one}, None),
            _case("the job raises", {"zone": one}, two, raises=True),
            _case("raises, and there was none", {}, two, raises=True),
            _case("the job changes it", {"zone": one}, two, "changes"),
            _case("the job removes it", {"zone": one}, two, "removes"),
            _case("removed, and there was none", {}, two, "removes"),
            _case("removed, then raised", {}, two, "removes", raises=True),
            _case("it has this value already", {"zone": one}, one),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; return what came back, what the job found, and the settings afterwards."""
        plan = case["plan"]
        settings = Settings(case["values"])
        job = Job(settings, plan)
        result, raised = None, None
        try:
            result = answer(settings, plan["name"], plan["value"], job)
        except Exception as error:
            if not (isinstance(error, (ValueError, LookupError)) and job.inside):
                raise
            raised = [type(error).__name__, str(error)]
        if not job.inside and result is None:
            raise AnswerProblem("untouched", "borrowed does not run the job yet.")
        return {"result": result, "raised": raised, "inside": job.inside, "after": settings.values,
                "jobs": len(job.inside)}

    def judge(self, case: Case, value: object) -> Verdict:
        """The job ran once and found the value, its outcome is passed on, everything is as it was."""
        plan, before = case["plan"], f"Case '{case.label}': "
        if not is_record(value, KEYS) or type(value["after"]) is not dict or type(value["inside"]) is not list:
            return self.wrong("wrong-shape", "Nothing could be seen of this run.")
        if type(value["jobs"]) is not int or value["jobs"] != 1 or len(value["inside"]) != 1:
            return self.wrong("runs-it-twice", before + "the job must run exactly once.")
        if value["inside"][0] != [True, plan["value"]]:
            return self.wrong("not-set", before + "while the job runs, the setting must have the value.")
        wanted = ["ValueError", FAILS] if plan["raises"] else None
        if value["raised"] != wanted and plan["does"] == "stays":
            return self.wrong("swallows", before + "the job's exception must reach the caller, and no other.")
        if value["after"] != case["values"] or value["raised"] != wanted:
            return self.slip(case, before=before)
        if value["result"] != (None if plan["raises"] else plan["returns"]):
            return self.wrong("drops-the-result", before + "borrowed must return what the job returns.")
        return self.right("Nothing of the call outlives it.")


def _case(
    label: str, values: dict[str, Any], value: object, does: str = "stays", raises: bool = False, visible: bool = False
) -> Case:
    plan = {"name": "zone", "value": value, "does": does, "raises": raises, "returns": [1, label]}
    return Case(label, {"values": {"shop": "open", **values}, "plan": plan}, visible)


EXERCISE = Borrowed()
