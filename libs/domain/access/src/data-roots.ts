import { folderName } from '@fleet/contracts/schema';

/** A folder of files that can be submitted, and their owners. */
export interface DataRoot {
  /** Absolute: the part of the template before the first variable. */
  readonly folder: string;
  /**
   * - `everybody`: shared files, such as monomer libraries and search models;
   * - `proposals`: raw data, in folders of proposals that the template finds;
   * - `results`: as `proposals`, but without access for beamlines;
   * - `administrators`: no known owner.
   */
  readonly of: 'everybody' | 'proposals' | 'results' | 'administrators';
  /** Patterns of the folder names, from the root down to the proposal. */
  readonly levels: readonly RegExp[];
}

/** The owner of a file or folder. */
export type DataOwner =
  | { readonly of: 'everybody' }
  | { readonly of: 'administrators' }
  | {
      readonly of: 'proposal';
      readonly proposal: string;
      /** Where the data were taken, from the template. */
      readonly beamline?: string;
      /** The proposal's beamlines have no access. */
      readonly membersOnly: boolean;
    };

/** A valid entry of FLEET_DATA_ROOTS. */
export const dataRootForm =
  'absolute paths with {proposal} in the last name; {beamline}, {year}, another word in braces, or * match variable parts: /data/{beamline}/{year}/{proposal}, /dls/{beamline}/data/*/{proposal}-{visit}';

const variable = /\{([a-z]+)\}|\*/g;
const isOpen = (name: string): boolean => /[{}*]/.test(name);
const proposalForm = new RegExp(`^(?=.{1,64}$)${folderName}$`);
const escaped = (text: string): string => text.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&');

/**
 * A pattern for a part of a template. A variable cannot contain the character next to it, so that a name is parsed unambiguously. Undefined:
 * two adjacent variables, or an unmatched brace.
 */
const levelOf = (part: string): RegExp | undefined => {
  let pattern = '';
  let end = 0;
  for (const { 0: text, 1: name, index } of part.matchAll(variable)) {
    if (index === end && end > 0) return undefined;
    const beside = (part.charAt(index - 1) + part.charAt(index + text.length)).replaceAll(/[\]\\^-]/g, '\\$&');
    pattern += `${escaped(part.slice(end, index))}(${name === undefined ? '' : `?<${name}>`}[^/${beside}]+)`;
    end = index + text.length;
  }
  const last = part.slice(end);
  return /[{}]/.test(part.replaceAll(variable, '')) ? undefined : new RegExp(`^${pattern}${escaped(last)}$`, 'u');
};

const isAnyTwice = (parts: readonly string[]): boolean => {
  const names = [...parts.join('/').matchAll(variable)].map(([, name]) => name).filter((name) => name !== undefined);
  return new Set(names).size < names.length;
};

/** A root of FLEET_DATA_ROOTS, or its problem in words. */
export const readDataRoot = (text: string): DataRoot | string => {
  const names = text.split('/').filter((name) => name !== '');
  if (!text.startsWith('/') || names.some((name) => name === '.' || name === '..')) return 'is not an absolute path';
  const first = names.findIndex(isOpen);
  if (first < 0) return { folder: `/${names.join('/')}`, of: 'administrators', levels: [] };
  const parts = names.slice(first);
  if (parts.at(-1)?.includes('{proposal}') !== true) return 'does not have {proposal} in its last name';
  if (isAnyTwice(parts)) return 'has a variable twice';
  const levels = parts.map(levelOf);
  if (levels.some((level) => level === undefined)) return 'has an unmatched brace, or two adjacent variables';
  return {
    folder: `/${names.slice(0, first).join('/')}`,
    of: 'proposals',
    levels: levels.filter((level) => level !== undefined),
  };
};

/** A folder of shared files. */
export const sharedRoot = (folder: string): DataRoot => ({ folder, of: 'everybody', levels: [] });

/** A folder with one folder per proposal. */
export const proposalsRoot = (folder: string, of: 'proposals' | 'results'): DataRoot => ({
  folder,
  of,
  levels: [/^(?<proposal>[^/]+)$/u],
});

/**
 * The owner of a file in a root. Everything above the folders of proposals, or without a valid proposal name, belongs to administrators.
 * @param names path components below the root's folder, links resolved
 */
export const ownerIn = ({ of, levels }: DataRoot, names: readonly string[]): DataOwner => {
  if (of === 'everybody') return { of };
  let found: Record<string, string> = {};
  for (const [at, level] of levels.entries()) {
    const fits = level.exec(names[at] ?? '');
    if (fits === null) return { of: 'administrators' };
    found = { ...found, ...fits.groups };
  }
  const { proposal = '', beamline } = found;
  if (!proposalForm.test(proposal)) return { of: 'administrators' };
  return { of: 'proposal', proposal, membersOnly: of === 'results', ...(beamline !== undefined && { beamline }) };
};
