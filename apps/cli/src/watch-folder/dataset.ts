import { stat } from 'node:fs/promises';
import { errnoOf } from '@fleet/contracts/faults';
import { submissionOfRow, textWith, type ManifestRow, type RowTemplate } from '@fleet/manifest';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';

/** What is submitted for each dataset; texts name the variables of the pattern. */
export interface DatasetTemplate extends RowTemplate {
  readonly priority?: string;
}

/** A file that fits the pattern, and what is submitted for it. */
export interface Dataset {
  readonly path: string;
  /** Its own file, then those that the template adds. */
  readonly files: readonly string[];
  readonly body: object;
}

const unfit = (what: string): CliError => new CliError(exitCodes.usage, `Nothing can be submitted: ${what}.`);

const proposalOf = (template: string, variables: Readonly<Record<string, unknown>>): string => {
  const filled = textWith(template, variables);
  if ('text' in filled) return filled.text;
  throw unfit(`the proposal names {${filled.missing.join('}, {')}}, which the pattern does not have`);
};

/** @throws CliError `usage` where the template names what the pattern does not have */
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

/** How its files look now; or what it lacks. */
export const signOf = async ({ files }: Dataset): Promise<DatasetSign | { readonly waitsFor: string }> => {
  const signs: string[] = [];
  for (const file of files) {
    const one = await signOfFile(file);
    if ('waitsFor' in one) return one;
    signs.push(one.sign);
  }
  return { own: signs[0] ?? '', all: signs.join(' ') };
};
