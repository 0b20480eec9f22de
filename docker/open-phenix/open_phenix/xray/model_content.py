"""Contents of a submitted model beyond positions and isotropic B values, and their treatment in refinement."""

from dataclasses import dataclass

import gemmi

# Angstrom. Six B values an atom are kept to here. Merritt (2012), Acta Cryst. D68, 468, asks at which resolution they are
# worth their number: from about 1.5 A on, where phenix.refine takes them away (main.switch_to_isotropic_high_res_limit), and
# at somewhat less if they prove themselves; a model that has them at 1.6 A was refined so on purpose.
ANISOTROPIC_TO = 1.7
# Reflections for each of the nine parameters of such an atom: a usual crystal (half solvent) has about two at 1.7 A, that of a
# small peptide fewer at the same resolution.
PER_PARAMETER = 2.0
_PARAMETERS = 9


@dataclass(frozen=True)
class Content:
    """Counts of atoms of the first model."""

    heavy: int
    anisotropic: int
    hydrogens: int
    alternative: int

    @property
    def mostly_anisotropic(self) -> bool:
        """Half of the atoms or more: Servalcat takes all of them or none."""
        return 2 * self.anisotropic >= self.heavy > 0


@dataclass(frozen=True)
class Data:
    """What the model is refined against: resolution (Angstrom) and number of reflections."""

    d_min: float
    reflections: int

    def against(self, content: Content) -> str:
        """Why the data do not support anisotropic B values; empty if they do."""
        if self.d_min > ANISOTROPIC_TO:
            return f"data to {self.d_min:.2f} A do not determine them (limit {ANISOTROPIC_TO} A)"
        if self.reflections < PER_PARAMETER * _PARAMETERS * content.heavy:
            return (f"{self.reflections} reflections do not determine {_PARAMETERS} parameters for each of {content.heavy} atoms "
                    f"(limit {PER_PARAMETER:g} a parameter)")
        return ""


def look_at(structure: gemmi.Structure) -> Content:
    """Count."""
    atoms = [site.atom for site in structure[0].all()]
    heavy = [atom for atom in atoms if not atom.is_hydrogen()]
    return Content(
        heavy=len(heavy),
        anisotropic=sum(1 for atom in heavy if atom.aniso.nonzero()),
        hydrogens=len(atoms) - len(heavy),
        alternative=sum(1 for atom in heavy if atom.has_altloc()),
    )


def keeps_anisotropic(content: Content, data: Data) -> bool:
    """Whether the B values that came anisotropic are refined so."""
    return content.mostly_anisotropic and not data.against(content)


def notes(content: Content, data: Data, anisotropic: bool) -> list[str]:
    """A sentence for each thing that the model brings."""
    found = []
    if content.anisotropic:
        fate = _fate(content, data, anisotropic)
        found.append(f"{content.anisotropic} of {content.heavy} atoms came with anisotropic B values: {fate}")
    if content.hydrogens:
        found.append(f"{content.hydrogens} hydrogens came with the model: made again at riding positions for all that has any, "
                     "and written")
    if content.alternative:
        found.append(f"{content.alternative} atoms stand in alternative conformations: all kept, with the occupancies given")
    return found


def _fate(content: Content, data: Data, anisotropic: bool) -> str:
    if anisotropic:
        rest = content.heavy - content.anisotropic
        return "kept" + (f", the other {rest} are made anisotropic too (Servalcat knows all or none)" if rest else "")
    if not content.mostly_anisotropic:
        return "made isotropic, as most of the model is"
    return f"made isotropic, as {data.against(content) or 'asked'}"
