"""Reads functions of LLVM's intermediate code: blocks of instructions, with operands as text.

Source: "LLVM Language Reference Manual". Only what the arithmetic's functions contain is understood; anything else is an
error, not skipped.
"""
import re

from words import Refuted

ASSIGNED = re.compile(r"(%\S+) = (.*)")
BINARY = re.compile(r"(add|sub|mul|udiv|shl|lshr|ashr|and|or|xor)((?: nuw| nsw| exact| disjoint)*) i(\d+) (\S+), (\S+)$")
CAST = re.compile(r"(zext|sext|trunc)((?: nneg| nuw| nsw)*) i(\d+) (\S+) to i(\d+)$")
LOAD = re.compile(r"load i(\d+), ptr (\S+)(?:, align \d+)?(?:, !.*)?$")
STORE = re.compile(r"store i(\d+) (\S+), ptr (\S+?)(?:, align \d+)?(?:, !.*)?$")
ADDRESS = re.compile(r"getelementptr (?:inbounds )?(?:nuw )?i8, ptr (\S+), i64 (-?\d+)$")
ELEMENT = re.compile(r"getelementptr (?:inbounds )?(?:nuw )?%Ts(?:5Int64|6UInt64)V, ptr (\S+), i64 (\S+)$")
FIELD = re.compile(r"getelementptr (?:inbounds )?(?:nuw )?%?\"?[\w.$]+\"?, ptr (\S+), i32 0, i32 (\d+)$")
COMPARE = re.compile(r"icmp (?:samesign )?(\w+) i(\d+) (\S+), (\S+)$")
SELECT = re.compile(r"select i1 (\S+), i(\d+) (\S+), i\d+ (\S+)$")
PHI = re.compile(r"phi i(\d+) (.*)$")
INSERT = re.compile(r"insertvalue \{[^}]*\} (\S+), i(\d+) (\S+), (\d+)$")
BRANCH = re.compile(r"br i1 (\S+), label %\"?([^\s\",]+)\"?, label %\"?([^\s\"]+)\"?$")
JUMP = re.compile(r"br label %\"?([^\s\"]+)\"?$")
RETURN = re.compile(r"ret (?:void|.* (\S+))$")
EXTRACT = re.compile(r"extractvalue \{[^}]*\} (\S+), (\d+)$")
ALLOCATION = re.compile(r"alloca (.*)$")
FUNNEL = re.compile(r"(?:tail )?call i(\d+) @llvm\.fsh([lr])\.i\d+\(i\d+ (\S+), i\d+ (\S+), i\d+ (\d+)\)$")
COPY = re.compile(r"(?:tail )?call void @llvm\.memcpy[.\w]*\(ptr [^%]*(%\S+), ptr [^%]*(%\S+), i64 (\d+), i1 false\)")
CLEAR = re.compile(r"(?:tail )?call void @llvm\.memset[.\w]*\(ptr [^%]*(%\S+), i8 0, i64 (\d+), i1 false\)")
CALL = re.compile(r'(?:tail )?call swiftcc [^@]*@"([^"]+)"\((.*)\)(?: #\d+)?$')
CALLED = re.compile(r"(?:tail )?call (?:void|i64) @(\w+)\((.*)\)(?: #\d+)?$")
ZEROS = re.compile(r"(?:tail )?call (?:range\([^)]*\) )?i64 @llvm\.cttz\.i64\(i64 (\S+), i1 \w+\)$")
MINIMUM = re.compile(r"(?:tail )?call i64 @llvm\.([su]m(?:in|ax))\.i64\(i64 (\S+), i64 (\S+)\)$")
IGNORED = re.compile(r"(?:tail )?call void @llvm\.(?:lifetime|assume)")

KINDS = {"binary": BINARY, "cast": CAST, "load": LOAD, "store": STORE, "address": ADDRESS, "element": ELEMENT,
         "field": FIELD,
         "compare": COMPARE, "select": SELECT, "phi": PHI, "insert": INSERT, "branch": BRANCH, "jump": JUMP,
         "return": RETURN, "extract": EXTRACT, "allocation": ALLOCATION, "funnel": FUNNEL, "copy": COPY, "clear": CLEAR,
         "call": CALL, "called": CALLED,
         "zeros": ZEROS, "minimum": MINIMUM}


class Instruction:
    """One instruction: what it is, the groups of its pattern, and the register that gets the result."""

    def __init__(self, text):
        self.text = text
        match = ASSIGNED.match(text)
        self.result, body = match.groups() if match else (None, text)
        body = re.sub(r", ![\w.]+ !\d+", "", body)
        for self.kind, pattern in KINDS.items():
            match = pattern.match(body)
            if match:
                self.parts = match.groups()
                return
        self.kind = "ignored" if IGNORED.match(body) else "unknown"
        self.parts = ()


class Function:
    """Its name, blocks by label, the first one's label, and the parameters."""

    def __init__(self, name, header, body):
        self.name = name
        arguments = header[header.index("(") + 1:]
        self.parameters = re.findall(r"(%[\w.]+)(?=[,)])", arguments)
        self.blocks, label = {}, None
        for line in body.splitlines():
            line = line.split(" ;")[0].strip() if not line.startswith(";") else ""
            if not line or line.startswith("#dbg"):
                continue
            match = re.match(r'([\w.$"-]+):', line)
            if match:
                label = match.group(1).strip('"')
                self.blocks[label] = []
                continue
            if label is None:
                label = "entry"
                self.blocks[label] = []
            self.blocks[label].append(Instruction(line))
        self.entry = next(iter(self.blocks))


class Module:
    """The functions of a module, by name."""

    def __init__(self, text):
        self.texts = {}
        for match in re.finditer(r'^(define [^\n]*?@"?([^"(]+)"?\(.*?) \{\n(.*?)^\}', text, re.M | re.S):
            self.texts[match.group(2)] = (match.group(1), match.group(3))

    def function(self, name):
        """A function by its whole name."""
        if name not in self.texts:
            raise Refuted(f"the compiler made no function {name}")
        return Function(name, *self.texts[name])
