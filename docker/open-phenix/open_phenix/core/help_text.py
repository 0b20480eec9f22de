"""`phenix.<program> --help`."""

import textwrap

from open_phenix.core.headline import engine_line
from open_phenix.core.spec import FileSlot, Parameter, ProgramSpec
from open_phenix.core.values import shown


def help_text(spec: ProgramSpec) -> str:
    """Purpose, engine, files, parameters honoured and not honoured, outputs, one example."""
    lines = [f"{spec.name}: {spec.purpose}", "", engine_line(spec), "", "Input files:"]
    lines += [_slot_line(slot) for slot in spec.files]
    honoured = [p for p in spec.parameters if p.effect == "honoured"]
    lines += ["", "Parameters honoured (any unique trailing part of a name will do):"]
    lines += [line for p in honoured for line in _parameter_lines(p)] or ["  none"]
    lines += ["", "Parameters not honoured:"]
    speed = [p.path for p in spec.parameters if p.effect == "speed"]
    science = [p.path for p in spec.parameters if p.effect == "science"] + [f"{scope}.*" for scope in spec.refused]
    lines.append(f"  accepted without effect (speed only): {', '.join(speed) or 'none'}")
    lines.append(f"  refused, as they would change the result: {', '.join(science) or 'none'}")
    if spec.outputs:
        lines += ["", "Output files (in the current directory):"] + [f"  {output}" for output in spec.outputs]
    for note in spec.notes:
        lines += [""] + textwrap.wrap(note, 110)
    return "\n".join(lines + ["", f"Example: {spec.example}"])


def _slot_line(slot: FileSlot) -> str:
    need = "required" if slot.required else "optional"
    many = ", several" if slot.multiple else ""
    how = " or ".join((["positional"] if slot.positional else []) + [f"{flag}=FILE" for flag in slot.flags])
    return f"  {slot.name} ({' or '.join(slot.kinds)}; {need}{many}; {how}) {slot.help}".rstrip()


def _parameter_lines(parameter: Parameter) -> list[str]:
    kind = "|".join(parameter.choices) if parameter.choices else parameter.type
    aliases = f" (also {', '.join(parameter.aliases)})" if parameter.aliases else ""
    lines = [f"  {parameter.path} = {shown(parameter.default)} <{kind}>{aliases}"]
    return lines + ([f"      {parameter.help}"] if parameter.help else [])
