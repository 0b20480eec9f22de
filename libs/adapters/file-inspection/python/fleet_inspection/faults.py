"""Why a file cannot be used: a code, a reason, and what is allowed instead."""

# Limits of the readers, far above those of real files. A file beyond one is rejected with the limit in the message, because
# silently skipped content would make a count wrong.
MODEL_BYTES = 128 * 1_048_576  # a model of this size has about 1,600,000 atoms
REFLECTION_BYTES = 512 * 1_048_576
SEQUENCE_BYTES = 4 * 1_048_576
NAME_LENGTH = 128  # characters of a stored name: chain, residue, component, column, space group
CHAINS = 2_000  # the largest entry of the PDB has about 1,400
KINDS = 1_000  # kinds of residues that are neither standard nor water, and components of a dictionary
MTZ_RECORDS = 20_000  # of a header; a list of 100,000 batches takes 8,400
MTZ_COLUMNS = 1_000  # the CCP4 library allows 200


class FileFault(Exception):
    """A rejected file: `code` without its area (`corrupt`), the reason, and what is allowed if that is unusual."""

    def __init__(self, code: str, reason: str, allowed: str | None = None):
        super().__init__(reason)
        self.code, self.reason, self.allowed = code, reason, allowed

    def as_answer(self) -> dict:
        allowed = {} if self.allowed is None else {"allowed": self.allowed}
        return {"code": self.code, "reason": self.reason, **allowed}


def corrupt(reason: str) -> FileFault:
    return FileFault("corrupt", reason)


def own_words(error: Exception, path: str) -> str:
    """gemmi's message without the path of the file."""
    return str(error).replace(path, "the file").strip()[:200]


def too_complex(reason: str, allowed: str) -> FileFault:
    return FileFault("too_complex", reason, f"{allowed}; check that the file is what its name says")


def too_large(what: str, most: int) -> FileFault:
    size = f"{most // 1_048_576:,} MiB"
    return too_complex(f"it is {what} of more than {size}", f"{what} of at most {size}")


def bounded(names, most: int, what: str) -> list[str]:
    """The unique names in order; raises FileFault if they are too many or too long."""
    kept = list(dict.fromkeys(names))
    if len(kept) > most:
        raise too_complex(f"it has more than {most:,} {what}", f"at most {most:,} {what}")
    if any(len(name) > NAME_LENGTH for name in kept):
        raise too_complex(
            f"a name in it ({what}) has more than {NAME_LENGTH} characters", f"names of at most {NAME_LENGTH} characters"
        )
    return kept
