"""Reads a shared object: its instructions as the disassembler writes them, its symbols and its constants."""
import re
import struct
import subprocess

from words import Refuted


class Code:
    """A shared object: its instructions by address, its symbols and its constants."""

    def __init__(self, path):
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(path)], check=True, capture_output=True,
                              text=True).stdout
        self.lines, self.symbols, self.next, self.targets = {}, {}, {}, {}
        previous = None
        for line in text.splitlines():
            symbol = re.match(r"([0-9a-f]+) <(\w+)>:", line)
            if symbol:
                self.symbols[symbol[2]] = int(symbol[1], 16)
            instruction = re.match(r"\s+([0-9a-f]+):\t(.*)", line)
            if instruction:
                address = int(instruction[1], 16)
                self.lines[address] = instruction[2].split("#")[0].strip()
                target = re.search(r"# ([0-9a-f]+)", instruction[2])
                self.targets[address] = int(target[1], 16) if target else None
                self.next[previous] = address
                previous = address
        self.image = path.read_bytes()
        start, size, count = struct.unpack_from("<Q", self.image, 32)[0], *struct.unpack_from("<HH", self.image, 54)
        headers = [struct.unpack_from("<IIQQQQ", self.image, start + size * i) for i in range(count)]
        self.segments = [(address, offset, length) for kind, _, offset, address, _, length in headers if kind == 1]

    def body(self, name):
        """The instructions from a function's beginning to the next function, as text."""
        start = self.symbols[name]
        end = min((address for address in self.symbols.values() if address > start), default=1 << 63)
        return [line for address, line in self.lines.items() if start <= address < end]

    def word(self, address):
        """A constant of 64 bits."""
        for start, offset, length in self.segments:
            if start <= address < start + length:
                return struct.unpack_from("<Q", self.image, offset + address - start)[0]
        raise Refuted("a constant outside of the object")
