/** A cycle as a page shows it. */
export interface Step {
  readonly program: string;
  readonly step: string;
  readonly why: string;
  readonly says: string;
  readonly metrics?: Readonly<Record<string, number>>;
  readonly fails?: true;
  readonly makes?: string;
}

/** A structure with its ligand, from data to validation. */
export const steps: readonly Step[] = [
  {
    program: 'xtriage',
    step: 'analyze',
    why: 'the data are looked at before anything else',
    says: 'The data are good to 1.60 Å, without twinning',
    metrics: { resolution: 1.6 },
  },
  {
    program: 'model_vs_data',
    step: 'probe_placement',
    why: 'whether the model is placed decides what comes next',
    says: 'The model is placed: R-work 0.3120',
    metrics: { r_work: 0.312, r_free: 0.3342 },
  },
  {
    program: 'refine',
    step: 'first_refine',
    why: 'the model is placed and was not refined yet; the target is R-free 0.250',
    says: 'R-work 0.2511, R-free 0.2902',
    metrics: { r_work: 0.2511, r_free: 0.2902, clashscore: 6.1 },
    makes: 'refine_001.pdb',
  },
  {
    program: 'ligandfit',
    step: 'fit_ligand',
    why: 'a dictionary of NUT was given, and there is density for it',
    says: 'NUT was fitted with a correlation of 0.86',
    metrics: { ligand_cc: 0.86 },
    makes: 'ligand_fit_1.pdb',
  },
  {
    program: 'refine',
    step: 'refine',
    why: 'R-free 0.2902 is above the target 0.250',
    says: 'R-work 0.1985, R-free 0.2301',
    metrics: { r_work: 0.1985, r_free: 0.2301, clashscore: 3.2 },
    makes: 'refine_002.pdb',
  },
  {
    program: 'polder',
    step: 'confirm_ligand',
    why: 'the omit map tells whether there is density for the fitted ligand',
    says: 'The omit map has density for NUT',
    metrics: { polder_cc: 0.91 },
  },
  {
    program: 'molprobity',
    step: 'validate',
    why: 'the final model must be validated',
    says: 'Clashscore 3.2, 97.9 % favoured, no outliers',
    metrics: { clashscore: 3.2 },
  },
];
