"""Reads arguments as PHENIX's programs do, with the real PHIL parser: JSON lines of {token, parameter, value} in, what it made of each out."""

import json
import sys

import iotbx.phil
from libtbx.phil.command_line import argument_interpreter

MASTER = """
%s = None
  .type = str
output_somewhere = untouched
  .type = str
"""


def _scoped(parameter):
    """The master definition of a parameter inside its scopes, and of one that nothing may set."""
    return iotbx.phil.parse(MASTER % parameter)


def _read(case):
    definitions = iotbx.phil.parse(case["token"]).all_definitions()
    paths = [located.path for located in definitions]
    master = _scoped(case["parameter"])
    interpreter = argument_interpreter(master_phil=master)
    working = master.fetch(source=interpreter.process(case["token"]))
    values = {located.path: located.object.extract() for located in working.all_definitions()}
    return {"paths": paths, "value": values[case["parameter"]], "other": values["output_somewhere"]}


def main():
    for line in sys.stdin:
        case = json.loads(line)
        try:
            print(json.dumps(_read(case)))
        except Exception as error:  # Any parser error is reported with its argument.
            print(json.dumps({"error": str(error)}))


main()
