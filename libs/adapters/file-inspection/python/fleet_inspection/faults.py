"""Why a file cannot be used, as the service tells it: a code, a reason, and what is allowed instead."""

# What readers go up to. Each bound lies far above what real files hold; a file beyond one is refused with the bound in the words, for
# what is left out in silence would be a wrong count.
MODEL_BYTES = 128 * 1_048_576  # a model of this size holds about 1,600,000 atoms
REFLECTION_BYTES = 512 * 1_048_576
SEQUENCE_BYTES = 4 * 1_048_576
NAME_LENGTH = 128  # characters of a name that is kept: chain, residue, component, column, space group
CHAINS = 2_000  # the largest entry of the PDB has about 1,400
KINDS = 1_000  # kinds of residues that are neither standard nor water, and components of a dictionary
MTZ_RECORDS = 20_000  # of a header; a list of 100,000 batches takes 8,400
MTZ_COLUMNS = 1_000  # the CCP4 library allows 200


class FileFault(Exception):
    """A file that is refused: `code` without its area (`corrupt`), the reason, and what is allowed where that is more than usual."""

    def __init__(self, code: str, reason: str, allowed: str | None = None):
        super().__init__(reason)
        self.code, self.reason, self.allowed = code, reason, allowed

    def as_answer(self) -> dict:
        allowed = {} if self.allowed is None else {"allowed": self.allowed}
        return {"code": self.code, "reason": self.reason, **allowed}


def corrupt(reason: str) -> FileFault:
    return FileFault("corrupt", reason)


def own_words(error: Exception, path: str) -> str:
    """What gemmi says, without the path under which the file was opened."""
    return str(error).replace(path, "the file").strip()[:200]


def too_complex(reason: str, allowed: str) -> FileFault:
    return FileFault("too_complex", reason, f"{allowed}; check that the file is what its name says")


def too_large(what: str, most: int) -> FileFault:
    size = f"{most // 1_048_576:,} MiB"
    return too_complex(f"it is {what} of more than {size}", f"{what} of at most {size}")


def bounded(names, most: int, what: str) -> list[str]:
    """The names, each once and in their order; raises FileFault where they are too many or too long."""
    kept = list(dict.fromkeys(names))
    if len(kept) > most:
        raise too_complex(f"it has more than {most:,} {what}", f"at most {most:,} {what}")
    if any(len(name) > NAME_LENGTH for name in kept):
        raise too_complex(
            f"a name in it ({what}) has more than {NAME_LENGTH} characters", f"names of at most {NAME_LENGTH} characters"
        )
    return kept
