import { stat } from 'node:fs/promises';
import { errnoOf } from '@fleet/contracts/faults';
import { submissionOfRow, textWith, type ManifestRow, type RowTemplate } from '@fleet/manifest';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';

/** The submission for each dataset; texts may contain variables of the pattern. */
export interface DatasetTemplate extends RowTemplate {
  readonly priority?: string;
}

/** A matching file, and its submission. */
export interface Dataset {
  readonly path: string;
  /** Its own file, then those added by the template. */
  readonly files: readonly string[];
  readonly body: object;
}

const unfit = (what: string): CliError => new CliError(exitCodes.usage, `Nothing can be submitted: ${what}.`);

const proposalOf = (template: string, variables: Readonly<Record<string, unknown>>): string => {
  const filled = textWith(template, variables);
  if ('text' in filled) return filled.text;
  throw unfit(`the proposal names {${filled.missing.join('}, {')}}, which the pattern does not have`);
};

/** @throws CliError `usage` if the template contains variables that the pattern lacks */
export const datasetOf = (row: ManifestRow, { priority, proposal, ...template }: DatasetTemplate): Dataset => {
  const variables = (row.variables ?? {}) as Readonly<Record<string, unknown>>;
  const own = proposal === undefined ? {} : { proposal: proposalOf(proposal, variables) };
  const made = submissionOfRow(row, { ...template, ...own });
  if ('problems' in made) throw unfit(made.problems.map(({ field, reason }) => `${field} ${reason}`).join('; '));
  const files = made.body['files'] as readonly string[];
  const body = { ...made.body, ...(priority !== undefined && { priority }) };
  return { path: files[0] ?? '', files, body };
};

/** Sizes and times of a dataset's files. */
export interface DatasetSign {
  /** Of its own file. */
  readonly own: string;
  /** Of all of its files together. */
  readonly all: string;
}

const absent = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

const signOfFile = async (path: string): Promise<{ readonly sign: string } | { readonly waitsFor: string }> => {
  try {
    const found = await stat(path);
    if (!found.isFile()) return { waitsFor: `${path} to be a file` };
    return found.size === 0
      ? { waitsFor: `${path}, which is empty` }
      : { sign: `${String(found.size)}:${String(found.mtimeMs)}` };
  } catch (error) {
    if (absent.has(errnoOf(error) ?? '')) return { waitsFor: path };
    throw error;
  }
};

/** The current state of its files, or which one is missing. */
export const signOf = async ({ files }: Dataset): Promise<DatasetSign | { readonly waitsFor: string }> => {
  const signs: string[] = [];
  for (const file of files) {
    const one = await signOfFile(file);
    if ('waitsFor' in one) return one;
    signs.push(one.sign);
  }
  return { own: signs[0] ?? '', all: signs.join(' ') };
};
