"""What the checker does not know, it refuses: the message names the function and the instruction."""
from contracts import INTEGERS, Contracts
from ir import Module
from ir_run import IRRun
from machine import MachineRun
from traces import Run, Trace
from words import Refuted

UNKNOWN = "define i64 @odd(i64 %0) {\n  %2 = freeze i64 %0\n  ret i64 %2\n}\n"
SWITCH = "define i64 @odd(i64 %0) {\n  switch i64 %0, label %2 [ i64 0, label %3 ]\n}\n"
ENDLESS = "define i64 @odd(i64 %0) {\n  %2 = add i64 %0, 1\n}\n"


class OddCode:
    """A function of one instruction."""

    symbols, next, targets = {"odd": 0}, {0: None}, {0: None}

    def __init__(self, line):
        self.lines = {0: line}


class RefusalContracts(Contracts):
    """Each statement is that something is refused."""

    def all(self):
        """Every contract here."""
        for text, wanted in ((UNKNOWN, "freeze"), (SWITCH, "switch"), (ENDLESS, "a block ends")):
            self.refused("intermediate code", lambda text=text: self.intermediate(text, "odd"), ("odd", wanted))
        self.refused("intermediate code", lambda: self.intermediate(UNKNOWN, "missing"), ("missing",))
        for line in ("vpunknown %ymm0,%ymm1,%ymm2", "imul %rax,%rdx"):
            self.refused("machine code", lambda line=line: MachineRun(OddCode(line), "odd", INTEGERS, lambda lane: None),
                         ("odd", line.split()[0]))
        self.refused("a trace", self.trace, ("odd", "_mm512_unknown"))

    def refused(self, what, run, words):
        """States that a run is refused, with a message that has these words."""
        try:
            run()
            message = "nothing"
        except Refuted as refutation:
            message = str(refutation)
        self.report.holds("the checker", f"{what} that it does not know is refused by name: {', '.join(words)}",
                          all(word in message for word in words))

    def intermediate(self, text, name):
        IRRun(Module(text).function(name), INTEGERS, lambda _: None, lambda domain: {"%0": domain.number(1)})

    def trace(self):
        trace = Trace("odd", "avx512")
        trace.lines = [["0", "splat", "1"], ["1", "_mm512_unknown", "0"]]
        Run(trace, {}, INTEGERS)
