#!/usr/bin/env python3
"""Makes the manual page of a command from its own help.

    storekit-verify --experimental-dump-help | manual.py VERSION SECONDS_SINCE_1970 > storekit-verify.1

Every sentence about commands and options is the help's. Only the section on files is written here.
"""

import json
import re
import sys
import textwrap
import time


def filled(text):
    """A paragraph for roff, in short lines."""
    return escaped("\n".join(textwrap.wrap(text, 70, break_on_hyphens=False, break_long_words=False)))


def escaped(text):
    """Text for roff: no character of it is a command."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("^", "\\(ha")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def paragraphs(text):
    """The paragraphs of the help, without its examples, which have an indent."""
    for paragraph in text.split("\n\n"):
        if paragraph and not paragraph.startswith("  "):
            yield ".PP"
            yield filled(paragraph)


def examples(command):
    for paragraph in command["discussion"].split("\n\n"):
        if paragraph.startswith("  "):
            yield ".EX"
            yield from (escaped(line) for line in paragraph.split("\n"))
            yield ".EE"


def names(argument):
    if argument["kind"] == "positional":
        return italic(argument["valueName"])
    written = [("-" if name["kind"] == "short" else "--") + name["name"] for name in argument["names"]]
    value = f" {italic(argument['valueName'])}" if argument["kind"] == "option" else ""
    return ", ".join(bold(name) + value for name in written)


def description(argument):
    notes = []
    if "allValues" in argument:
        notes.append("values: " + ", ".join(argument["allValues"]))
    if "defaultValue" in argument:
        notes.append("default: " + argument["defaultValue"])
    return filled(argument["abstract"] + (f" ({'; '.join(notes)})" if notes else ""))


def usage(command, root):
    """The command's line: what it requires, and its operands."""
    parts = [bold(command["commandName"])]
    arguments = [argument for argument in command["arguments"] if argument not in root["arguments"]]
    if any(argument["kind"] != "positional" and argument["isOptional"] for argument in arguments):
        parts.append("[options]")
    for argument in sorted(arguments, key=lambda argument: argument["kind"] == "positional"):
        name = names(argument) + (" ..." if argument["isRepeating"] else "")
        if not argument["isOptional"]:
            parts.append(name)
        elif argument["kind"] == "positional":
            parts.append(f"[{name}]")
    return " ".join(parts)


def options(arguments):
    """The list of arguments. Those that share a sentence share an entry."""
    groups = []
    for argument in arguments:
        if groups and groups[-1][0]["abstract"] == argument["abstract"]:
            groups[-1].append(argument)
        else:
            groups.append([argument])
    for group in groups:
        yield ".TP"
        yield ", ".join(names(argument) for argument in group)
        yield description(group[0])


def page(root, version, seconds):
    commands = [command for command in root["subcommands"] if command["commandName"] != "help"]
    for command in commands:
        # `serve` has neither options nor a discussion in a build without the service.
        command.setdefault("discussion", "")
        command["arguments"] = [argument for argument in command["arguments"] if argument["shouldDisplay"]]
    name = root["commandName"]
    date = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    yield f'.TH {name.upper()} 1 {date} "{name} {version}" "User Commands"'
    yield ".SH NAME"
    summary = root["abstract"].rstrip(".")
    yield f"{escaped(name)} \\- {escaped(summary[0].lower() + summary[1:])}"
    yield ".SH SYNOPSIS"
    for number, command in enumerate(commands):
        if number:
            yield ".br"
        yield f"{bold(name)} {usage(command, root)}"
    yield ".SH DESCRIPTION"
    yield from list(paragraphs(root["discussion"]))[1:]
    yield ".PP"
    yield f"Without the name of a command, the command is {bold(root['defaultSubcommand'])}."
    yield ".SH OPTIONS"
    yield from options(root["arguments"])
    yield ".SH COMMANDS"
    known = {json.dumps(argument): root for argument in root["arguments"]}
    for command in commands:
        yield f".SS {usage(command, root)}"
        yield filled(command["abstract"])
        yield from paragraphs(command["discussion"])
        same = {}
        for argument in command["arguments"]:
            same.setdefault(known.setdefault(json.dumps(argument), command)["commandName"], []).append(argument)
        yield from options(same.pop(command["commandName"], []))
        same.pop(name)
        for first, arguments in same.items():
            yield ".PP"
            yield f"As for {bold(first)}:"
            yield ",\n".join(names(argument) for argument in arguments) + "."
    yield ".SH EXIT STATUS"
    default = next(command for command in commands if command["commandName"] == root["defaultSubcommand"])
    statuses = re.search(r"Exit status: (.*)\.", default["discussion"])[1]
    for status, meaning in re.findall(r"(\d+) (.*?)(?:, (?=\d)|$)", statuses):
        yield ".TP"
        yield bold(status)
        yield filled(meaning)
    yield ".SH EXAMPLES"
    for command in [root, *commands]:
        yield from examples(command)
    yield ".SH FILES"
    yield "There is no configuration file, and no file is written that no option names."
    yield ".TP"
    yield f"{italic('/etc/hosts')}, {italic('/etc/resolv.conf')}"
    yield f"Where {bold('--revocation')} finds the responders that it asks."
    yield ".SH SEE ALSO"
    yield ".BR openssl (1),"
    yield ".BR jq (1)"


def main():
    version, seconds = sys.argv[1:]
    command = json.load(sys.stdin)["command"]
    print("\n".join(page(command, version, int(seconds))))


main()
