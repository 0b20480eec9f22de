const classes = {
  general: 'General',
  glycine: 'Glycine',
  cisProline: 'cis-Proline',
  transProline: 'trans-Proline',
  preProline: 'Before proline',
  ileVal: 'Ile and Val',
} as const;
const regions = { favoured: 'favoured', allowed: 'allowed', outlier: 'outlier' } as const;
const degrees = (value: number): string => `${value.toFixed(0).replace('-', '−')}°`;
const share = (count: number, all: number): string => `${((100 * count) / all).toFixed(1)} %`;

/** English words of what the numbers of a model are worth. */
export const qualityTexts = {
  tab: 'Validation',
  title: 'Model quality',
  none: 'No quality metric has been measured yet.',
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
  inModel: 'The best model contains it.',
  notInModel:
    'The best model does not contain it: nothing confirms it, or it is not merged yet. The summary gives the reason.',
  evidence: (facts: string) => `Evidence: ${facts}.`,
  cc: (value: string) => `correlation with the map ${value}`,
  inDensity: (inside: number, all: number) => `${String(inside)} of its ${String(all)} atoms are in density`,
  omit: (value: string) => `CC(1,3) of its omit (polder) map ${value}`,
  look: 'Show in 3D',
  measured: 'Ligand metrics by cycle',
  residues: 'Mean B of each residue',
  residuesWhy: (file: string) => `of ${file}; Å², without hydrogens and waters`,
  predictedWhy: (file: string) => `of ${file}: a predicted model has its confidence (pLDDT) instead of B`,
  chart: 'Mean B of each residue, along the chains',
  residue: 'Residue',
  b: 'B',
  submitted: (file: string) => `${file}, as submitted`,
  measureFailed: 'Validation failed because its program did not load or stopped. Reload the page.',
  rama: {
    title: 'Ramachandran plot',
    from: (file: string) => `computed by this page from ${file}`,
    computed: (favoured: number, outliers: number, all: number) =>
      `${share(favoured, all)} of ${String(all)} residues are favoured, ${String(outliers)} (${share(outliers, all)}) are outliers.`,
    recorded: (favoured: string, outliers: string, by: string) =>
      `Recorded values from the program’s log: ${favoured} favoured, ${outliers} outliers (${by}).`,
    notRecorded: 'No program of this session has measured it. This page computed these numbers.',
    source: 'Regions: Top8000 of MolProbity, as cctbx has them',
    licence: 'licence',
    how: 'Dots are favoured (dark areas), diamonds allowed (light areas), crosses outliers. Arrow keys move along the chain. Enter or a click shows the residue in 3D.',
    none: 'The plot is empty because the model has no amino acid with a neighbour on both sides.',
    classes,
    regions,
    plot: (kind: string, counts: string) =>
      `${kind}: ${counts}. Arrow keys move between residues. Enter shows one in 3D.`,
    counts: (favoured: number, allowed: number, outliers: number) =>
      `${String(favoured)} favoured, ${String(allowed)} allowed, ${String(outliers)} ${outliers === 1 ? 'outlier' : 'outliers'}`,
    point: (name: string, phi: number, psi: number, region: keyof typeof regions) =>
      `${name}: φ ${degrees(phi)}, ψ ${degrees(psi)}, ${regions[region]}`,
    degrees,
    listed: 'Residues by region',
    all: 'Include favoured residues',
    columns: { residue: 'Residue', kind: 'Class', phi: 'φ', psi: 'ψ', region: 'Region' },
    allFavoured: 'All residues are in favoured regions.',
    more: (count: number) => `Show ${String(count)} more`,
    show: (name: string) => `Show ${name} in 3D`,
  },
} as const;
