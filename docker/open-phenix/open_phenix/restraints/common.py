"""Components that models often hold and that the library of Coot does not describe: made when the kit is installed, if requested.

Chosen manually, the most frequent kinds first: sugars, lipids and detergents, buffers and cryoprotectants, cofactors,
modified residues. Ions need no AceDRG.
"""

import os
import tempfile
from pathlib import Path

from open_phenix.core.errors import Sorry
from open_phenix.restraints import cache, components

COMMON = tuple(
    "NDG FUL SIA A2G NGA GLA XYS XYP SUC TRE BDP IDS SGN RAM BOG LMT LDA LHG OLC OLA OLB PLM MYR STE MPG CDL PEE PC1 POV "
    "P6G PE4 15P 12P 2PE 7PE ETE PGO PGR BU3 HEZ EOH MOH ACN CCN DIO DTT HED CO3 BCT SCN AZI NO2 NH4 OXY CAC VO4 ALF BEF "
    "AF3 MGF POP PPV DPO 2HP TLA FLC MLT SIN FUM AKG OGA PYR LAC OXL OAA URE GAI BEN BEZ PHB NHE MPO B3P SPM SPD "
    "UDP UMP UTP TMP TTP C5P CDP CTP IMP G4P GNP GSP AGS ACP APC NAI H4B BTN TPP TDP PMP VIB THM RET GSH SFG MTA ADN "
    "CHD Y01 C8E D10 D12 OCT UND HP6 LLP MLY M3L CSD OCS CSX CAS HYP AIB ABA NLE ORN ALY SAR DAL".split()
)


def make(number: int) -> None:
    """Make the first `number` of them in the kit's installation cache; prints those that cannot be made."""
    folder = cache.installed()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ[cache.SETTING] = str(folder)
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        try:
            for code in COMMON[:number]:
                _report(code)
        finally:
            os.chdir(before)


def _report(code: str) -> None:
    try:
        kept = cache.get(components.of_dictionary(code))
        print(f"{code}: {'there already' if kept.seconds is None else f'{kept.seconds:.0f} s'}", flush=True)
    except Sorry as problem:
        print(f"{code}: not made: {problem}", flush=True)
