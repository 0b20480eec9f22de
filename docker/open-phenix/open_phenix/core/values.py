"""PHIL text to Python values."""

import re
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.core.spec import Parameter

_TRUE = {"true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}
_UNSET = {"none", "auto", ""}


def unquote(text: str) -> str:
    """Remove one pair of matching quotes, as a PHIL file would."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text


def is_off(text: str) -> bool:
    """True for values that switch a feature off or leave it at its default."""
    return unquote(text).lower() in _FALSE | _UNSET


def convert(parameter: Parameter, name: str, text: str) -> Any:
    """The value of `text` for that parameter; None and Auto give its default. Wrong values raise Sorry."""
    text = unquote(text)
    if text.lower() in _UNSET:
        return parameter.default
    value = _CONVERTERS[parameter.type](name, text)
    if parameter.type == "choice" and value.lower() not in [c.lower() for c in parameter.choices]:
        raise Sorry(f"{name}={text} cannot be honoured here; possible: {', '.join(parameter.choices)}")
    if parameter.minimum is not None and value < parameter.minimum:
        raise Sorry(f"{name}={text}: must not be below {parameter.minimum:g}")
    if parameter.maximum is not None and value > parameter.maximum:
        raise Sorry(f"{name}={text}: must not be above {parameter.maximum:g}")
    return value


def _integer(name: str, text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}", text):
        raise Sorry(f"Error interpreting {name}={text} as an integer")
    return int(text)


def _float(name: str, text: str) -> float:
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", text):
        raise Sorry(f"Error interpreting {name}={text} as a number")
    return float(text)


def _boolean(name: str, text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise Sorry(f"Error interpreting {name}={text} as True or False")


def _text(_name: str, text: str) -> str:
    return text


def _labels(_name: str, text: str) -> str:
    return ",".join(part for part in re.split(r"[,\s]+", text) if part)


def _unit_cell(name: str, text: str) -> tuple[float, ...]:
    parts = [part for part in re.split(r"[,\s]+", text.strip("()")) if part]
    numbers = tuple(_float(name, part) for part in parts)
    if len(numbers) != 6 or any(n <= 0 for n in numbers) or any(not 0 < a < 180 for a in numbers[3:]):
        raise Sorry(f"{name}={text}: a unit cell is six positive numbers (Angstrom and degrees)")
    return numbers


_CONVERTERS = {
    "str": _text,
    "choice": _text,
    "space_group": _text,
    "labels": _labels,
    "int": _integer,
    "float": _float,
    "bool": _boolean,
    "unit_cell": _unit_cell,
}


def shown(value: Any | None) -> str:
    """A value as it is printed in help texts."""
    if isinstance(value, tuple):
        return ",".join(f"{v:g}" for v in value)
    return str(value)
