import type { SettingDefinition } from '@fleet/contracts/service';
import { ligandOfLine, type RequestedLigand, type Submission } from '@fleet/contracts/sessions';

/** A draft of a submission. */
export interface Draft {
  readonly files: readonly string[];
  readonly title: string;
  readonly proposal: string;
  readonly beamline: string;
  readonly advice: string;
  /** Codes, separated by blanks or commas. */
  readonly codes: string;
  /** One per line, optionally followed by an id. */
  readonly smiles: string;
  /** The changed ones, as typed. */
  readonly settings: Readonly<Record<string, string | boolean>>;
}

export const emptyDraft: Draft = {
  files: [],
  title: '',
  proposal: '',
  beamline: '',
  advice: '',
  codes: '',
  smiles: '',
  settings: {},
};

/** The typed ligands. */
export const ligandsOf = ({ codes, smiles }: Pick<Draft, 'codes' | 'smiles'>): readonly RequestedLigand[] => [
  ...codes
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
    .map((code) => ({ code })),
  ...smiles
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(ligandOfLine),
];

/** The typed value of a setting; an invalid number is sent as it is, so that the API reports it. */
const valueOf = (typed: string | boolean, definition: SettingDefinition | undefined): unknown => {
  if (typeof typed === 'boolean') return typed;
  if (definition?.type === 'list')
    return typed
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  const isNumber = definition?.type === 'integer' || definition?.type === 'number';
  return isNumber && typed.trim() !== '' && !Number.isNaN(Number(typed)) ? Number(typed) : typed;
};

/** As an API request; missing values have their defaults. */
export const submissionOf = (
  { files, title, proposal, beamline, advice, settings, ...typed }: Draft,
  definitions: Readonly<Record<string, SettingDefinition>>,
): Submission => {
  const values = Object.entries(settings)
    .filter(([, typed]) => typed !== '')
    .map(([name, typed]) => [name, valueOf(typed, definitions[name])] as const);
  const texts = { title: title.trim(), proposal: proposal.trim(), beamline: beamline.trim(), advice };
  const ligands = ligandsOf(typed);
  return {
    files,
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== '')),
    ...(ligands.length > 0 && { ligands }),
    ...(values.length > 0 && { settings: Object.fromEntries(values) }),
  };
};
