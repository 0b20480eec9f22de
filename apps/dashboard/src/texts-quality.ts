import type { Region, ResidueClass } from './quality/ramachandran';

const classes: Readonly<Record<ResidueClass, string>> = {
  general: 'General',
  glycine: 'Glycine',
  cisProline: 'cis-Proline',
  transProline: 'trans-Proline',
  preProline: 'Before proline',
  ileVal: 'Ile and Val',
};
const regions: Readonly<Record<Region, string>> = { favoured: 'favoured', allowed: 'allowed', outlier: 'outlier' };
const degrees = (value: number): string => `${value.toFixed(0).replace('-', '−')}°`;
const share = (count: number, all: number): string => `${((100 * count) / all).toFixed(1)} %`;

/** English words of what the numbers of a model are worth. */
export const qualityTexts = {
  tab: 'Validation',
  title: 'What the model is worth',
  none: 'Nothing that can be judged has been measured yet.',
  at: (resolution: string) => `judged at ${resolution}`,
  columns: {
    metric: 'Metric',
    value: 'Value',
    quality: 'Quality',
    good: 'Good',
    acceptable: 'Acceptable',
    by: 'Measured by',
  },
  by: (program: string, cycle: number) => `${program}, cycle ${String(cycle)}`,
  ligand: 'Ligands',
  noLigand: 'No ligand was fitted.',
  inModel: 'The best model holds it.',
  notInModel: 'The best model does not hold it: nothing confirms it, or it is not merged yet. The summary says why.',
  evidence: (facts: string) => `What speaks for it: ${facts}.`,
  cc: (value: string) => `correlation with the map ${value}`,
  inDensity: (inside: number, all: number) => `${String(inside)} of its ${String(all)} atoms lie in density`,
  omit: (value: string) => `CC(1,3) of its omit (polder) map ${value}`,
  look: 'Look at it in 3D',
  measured: 'Measured of ligands, cycle by cycle',
  residues: 'Mean B of each residue',
  residuesWhy: (file: string) => `of ${file}; Å², hydrogens and waters left out`,
  predictedWhy: (file: string) => `of ${file}: a predicted model has its confidence (pLDDT) in place of B`,
  chart: 'Mean B of each residue, along the chains',
  residue: 'Residue',
  b: 'B',
  submitted: (file: string) => `${file}, as it was submitted`,
  measureFailed:
    'The model could not be measured: the program that does so did not load, or ended. Load the page again.',
  rama: {
    title: 'Ramachandran plot',
    from: (file: string) => `computed by this page from ${file}`,
    computed: (favoured: number, outliers: number, all: number) =>
      `${share(favoured, all)} of ${String(all)} residues are favoured, ${String(outliers)} (${share(outliers, all)}) are outliers.`,
    recorded: (favoured: string, outliers: string, by: string) =>
      `The numbers of record are those of the program’s log: ${favoured} favoured, ${outliers} outliers (${by}).`,
    notRecorded: 'No program of this session has measured it: these numbers are of this page alone.',
    source: 'Regions: Top8000 of MolProbity, as cctbx has them',
    licence: 'licence',
    how: 'Dots lie in the dark areas (favoured), diamonds in the light ones (allowed), crosses outside (outliers). Arrow keys go along the chain, Enter or a click shows the residue in 3D.',
    none: 'The model has no amino acid with a neighbour on both sides: there is nothing to plot.',
    classes,
    regions,
    plot: (kind: string, counts: string) =>
      `${kind}: ${counts}. Arrow keys go from residue to residue, Enter shows one in 3D.`,
    counts: (favoured: number, allowed: number, outliers: number) =>
      `${String(favoured)} favoured, ${String(allowed)} allowed, ${String(outliers)} ${outliers === 1 ? 'outlier' : 'outliers'}`,
    point: (name: string, phi: number, psi: number, region: Region) =>
      `${name}: φ ${degrees(phi)}, ψ ${degrees(psi)}, ${regions[region]}`,
    degrees,
    listed: 'Residues by region',
    all: 'Favoured ones, too',
    columns: { residue: 'Residue', kind: 'Class', phi: 'φ', psi: 'ψ', region: 'Region' },
    allFavoured: 'None is outside the favoured regions.',
    more: (count: number) => `Show ${String(count)} more`,
    show: (name: string) => `Show ${name} in 3D`,
  },
} as const;
