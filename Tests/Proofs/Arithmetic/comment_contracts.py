"""Every number of a comment that bounds something is tied to what derives it: see comments/README.md.

`comments/NAME.txt` has the words of each comment of the source NAME that name such a number, and below them how the run
derives it. Words that are in no list, or in no comment any more, fail.
"""
import re

from claims import claim_of, relation
from comment_text import comments_of
from contracts import Contracts, guarded
from digit_contracts import WIDTHS, windows
from expressions import NoNumber, number_of
from report import N, P, show, slack
from traces import HERE

NAMES = {"p": P, "n": N}
LOOPS = {"m": [{"m": P, "letter": "p"}, {"m": N, "letter": "n"}], "w": [{"w": w, "k": windows(w)} for w in WIDTHS]}
SETS = ("avx512 ", "avx2 ")
PREFIXES = (*SETS, "C ", "Swift ")


class Tie:
    """A line below a quote: what derives it, and how its numbers are to be read."""

    def __init__(self, line):
        kind, _, rest = line.partition(" ")
        self.kind = kind.rstrip(":")
        self.target, *options = rest.split("; ")
        self.options = dict(option.partition(" ")[::2] for option in options)

    def names(self, loop):
        """The names of numbers in the claim."""
        given = dict(pair.split(" = ") for pair in self.options.get("with", "").split(", ") if pair)
        return NAMES | {name: n for name, n in loop.items() if name != "letter"} | {
            name: number_of(text, NAMES) for name, text in given.items()}

    def loops(self):
        """The cases: for each modulus or each width, if the line names one."""
        found = [name for name in LOOPS if f"{{{name}}}" in self.target]
        return LOOPS[found[0]] if found else [{}]

    def matcher(self, loop):
        """A pattern of a function and a place: * stands for any text, and \\* for itself."""
        text = self.target
        for name in LOOPS:
            text = text.replace(f"{{{name}}}", str(loop.get("letter", loop.get(name))))
        parts = [re.escape(part.replace("\\*", "*")) for part in re.split(r"(?<!\\)\*", text)]
        return re.compile(f"^{'.*'.join(parts)}$", re.M)


class Entry:
    """A quote and its ties."""

    def __init__(self, line, quote):
        self.line, self.quote, self.ties = line, quote, []

    def of(self, kinds):
        return [tie for tie in self.ties if tie.kind in kinds]


def entries_of(text):
    """The entries of a list."""
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("    "):
            entries[-1].ties.append(Tie(line.strip()))
        elif line.strip() and not line.startswith("#"):
            entries.append(Entry(number, line.strip()))
    return entries


class CommentContracts(Contracts):
    """`sources` are the folders of the kernel and of the engine. The report has what the other parts derived."""

    def __init__(self, report, sources):
        super().__init__(None, report)
        self.sources = sources
        self.rows = {}
        for function, place, least, greatest, _, _ in report.rows:
            for name in {function, function.split(",")[0]}:
                before = self.rows.get(f"{name} | {place}", (least, greatest))
                self.rows[f"{name} | {place}"] = min(least, before[0]), max(greatest, before[1])
        self.names = Names(self.rows)
        self.by_prefix = {prefix: Names(name.removeprefix(prefix) for name in self.rows if name.startswith(prefix))
                          for prefix in PREFIXES}
        self.statements, self.assumed = Names(map(without_prefix, report.statements)), {}
        for name, ranges in report.given.items():
            self.assumed.setdefault(without_prefix(name), set()).update(ranges)
        self.operands = Names(self.assumed)

    @guarded
    def all(self):
        """Every source that has comments, and every list."""
        paths = sorted(path for folder in self.sources for path in folder.rglob("*") if path.suffix in (".h", ".c", ".swift"))
        lists = {path.stem: path for path in (HERE / "comments").glob("*.txt")}
        for path in paths:
            listed = lists.pop(path.name, None)
            self.source(path.name, comments_of(path.read_text()), entries_of(listed.read_text()) if listed else [])
        for name in lists:
            self.report.refute(f"comments/{name}.txt: there is no such source")

    def source(self, name, comments, entries):
        """One source: all its numbers are in quotes, and all quotes are in it."""
        covered = {comment.line: [] for comment in comments}
        for entry in entries:
            places = [(comment, match.span()) for comment in comments
                      for match in re.finditer(re.escape(entry.quote), comment.text)]
            if len(places) != 1:
                self.report.refute(f"{name}: {len(places)} comments say “{entry.quote}”, where one is listed")
                continue
            comment, span = places[0]
            covered[comment.line].append(span)
            self.tied(f"{name}:{comment.line}", entry)
        for comment in comments:
            for start, end in comment.numbers():
                if not any(first <= start and end <= last for first, last in covered[comment.line]):
                    around = comment.text[max(0, start - 30):end + 30]
                    self.report.refute(f"{name}:{comment.line}: nothing is listed that derives “{around}”")

    def tied(self, where, entry):
        """One quote with all its ties."""
        (self.report.bounds if not entry.of(("no",)) else self.report.others).append(where)
        if not entry.of(("rows", "given", "states", "constants", "no")):
            self.report.refute(f"{where}: “{entry.quote}” has nothing that derives it")
        for tie in entry.ties:
            try:
                for loop in tie.loops():
                    self.check(where, entry, tie, loop)
            except (NoNumber, ValueError, KeyError) as error:
                self.report.refute(f"{where}: “{entry.quote}” is not read: {error!r}")

    def check(self, where, entry, tie, loop):
        """One tie in one case."""
        if tie.kind == "rows":
            self.derived(where, entry, tie, loop)
        elif tie.kind == "given":
            self.given(where, entry, tie, loop)
        elif tie.kind == "states":
            self.tie(where, entry, f"stated: {tie.target}", bool(self.statements.matching(tie.matcher(loop))))
        elif tie.kind == "constants":
            self.tie(where, entry, "constants", relation(entry.quote, tie.names(loop)))
        elif tie.kind not in ("no", "loose"):
            self.report.refute(f"{where}: {tie.kind} is no kind of tie")

    def tie(self, where, entry, what, held, numbers=("", "", "")):
        """Notes a tie, or refutes it."""
        self.report.holds(where, f"“{entry.quote}”: {what}", held)
        self.report.ties.append((where, entry.quote, what, *numbers))

    def found(self, tie, loop):
        """The rows of a tie. Those of the kernel's text are there for both sets of words, unless the tie names one."""
        pattern = tie.matcher(loop)
        exact = self.names.matching(pattern)
        if exact:
            return [self.rows[name] for name in exact]
        found = {prefix: names.matching(pattern) for prefix, names in self.by_prefix.items()}
        prefixes = {prefix for prefix, names in found.items() if names}
        if len(prefixes) > 1 and prefixes != set(SETS) or len(prefixes & set(SETS)) == 1:
            raise ValueError(f"{tie.target}: rows of {sorted(prefixes)}")
        return [self.rows[prefix + name] for prefix, names in found.items() for name in names]

    def derived(self, where, entry, tie, loop):
        """A claim against the rows that derive it: they are within it, and are not much smaller."""
        names, rows = tie.names(loop), self.found(tie, loop)
        unit = number_of(tie.options.get("unit", "1"), names)
        claim = claim_of(entry.quote, names).scaled(unit)
        if not rows:
            self.report.refute(f"{where}: “{entry.quote}”: no row {tie.target}")
            return
        least, greatest = min(low for low, _ in rows), max(high for _, high in rows)
        held = claim.covers(least, greatest)
        if held and not claim.is_filled(least, greatest) and not entry.of(("loose",)):
            self.report.refute(f"{where}: “{entry.quote}” is more than twice what is derived: {shown(least)} to "
                               f"{shown(greatest)}")
            return
        ends = [greatest if end is None else end for end in (claim.low or 0, claim.high)]
        text = slack(least, greatest, *ends) if claim.high is not None else "at least"
        if not held:
            self.report.refute(f"{where}: “{entry.quote}”: {tie.target} is {shown(least)} to {shown(greatest)}")
        else:
            self.tie(where, entry, tie.target, True, (shown(least), shown(greatest), text))

    def given(self, where, entry, tie, loop):
        """A claim that is a contract's assumption: the contract was proven for it, or for more."""
        names = tie.names(loop)
        claim = claim_of(entry.quote, names).scaled(number_of(tie.options.get("unit", "1"), names))
        found = self.operands.matching(tie.matcher(loop))
        held = found and all(any(claim.is_within(*ends) for ends in self.assumed[name]) for name in found)
        self.tie(where, entry, f"given: {tie.target}", held)


class Names:
    """Names to be found by a pattern."""

    def __init__(self, names):
        self.text = "\n".join(dict.fromkeys(names))

    def matching(self, pattern):
        return pattern.findall(self.text)


def without_prefix(name):
    """The name of a row or statement without the part's prefix."""
    return name.removeprefix(next(prefix for prefix in (*PREFIXES, "") if name.startswith(prefix)))


def shown(number):
    """A number, with decimals if it is no integer."""
    return show(int(number)) if number == int(number) else f"{float(number):.6g}"
