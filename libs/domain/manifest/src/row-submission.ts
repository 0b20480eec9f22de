import type { BatchDefaults, BatchRequest } from '@fleet/contracts/batches';
import type { FieldProblem } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import type { ManifestRow } from './manifest-row';

/** Common properties of all rows of a batch. */
export type RowTemplate = Pick<BatchRequest, 'base' | 'defaults' | 'proposal' | 'submitter'>;

/** The submission of a row: a body for the usual validation; or why it cannot be made. */
export type RowSubmission =
  { readonly body: Readonly<Record<string, unknown>> } | { readonly problems: readonly FieldProblem[] };

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{name}` is a variable of the row, `{{` a brace. */
const placeholder = /\{\{|\{([a-z][a-z0-9_]{0,63})\}/g;

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Texts of a batch with the variables of a row filled in. */
class Filling {
  readonly missing = new Set<string>();

  constructor(private readonly variables: Values) {}

  text(template: string): string {
    return template.replaceAll(placeholder, (whole, name: string | undefined) => {
      if (name === undefined) return '{';
      const value = Object.hasOwn(this.variables, name) ? this.variables[name] : undefined;
      if (isText(value)) return String(value);
      this.missing.add(name);
      return whole;
    });
  }

  defaults({ files, ...defaults }: BatchDefaults): Values {
    const texts = Object.entries(defaults).map(([name, value]): [string, unknown] => [
      name,
      typeof value === 'string' ? this.text(value) : value,
    ]);
    return {
      ...(Object.fromEntries(texts) as Values),
      ...(files !== undefined && { files: files.map((file) => this.text(file)) }),
    };
  }
}

/**
 * A text of the batch with a row's variables.
 * @returns the text, or the variables that the row lacks
 */
export const textWith = (
  template: string,
  variables: Values,
): { readonly text: string } | { readonly missing: readonly string[] } => {
  const filling = new Filling(variables);
  const text = filling.text(template);
  return filling.missing.size > 0 ? { missing: [...filling.missing] } : { text };
};

const problemsOf = (variables: unknown): readonly FieldProblem[] => {
  const allowed = 'an object of texts and numbers';
  if (!isObject(variables))
    return [{ field: 'variables', reason: `must be ${allowed}, not ${shown(variables)}`, allowed }];
  return Object.entries(variables)
    .filter(([, value]) => !isText(value))
    .map(([name, value]) => ({ field: `variables.${name}`, reason: `${shown(value)} is not allowed`, allowed }));
};

/** Members that a row may not have: proposal and submitter are those of its batch. */
const foreignMembers = (row: ManifestRow, { proposal }: RowTemplate): readonly FieldProblem[] => [
  ...(row.submitter === undefined || row.submitter === null
    ? []
    : [{ field: 'submitter', reason: 'is that of the batch; a row has none of its own' }]),
  ...(row.proposal === undefined || row.proposal === null || row.proposal === (proposal ?? 'none')
    ? []
    : [
        {
          field: 'proposal',
          reason: `${shown(row.proposal)} is not the proposal of this batch`,
          allowed: `${proposal ?? 'none'}; rows of another proposal belong into a batch of their own`,
        },
      ]),
];

const absolute = (file: unknown, base: string | undefined): unknown =>
  base === undefined || typeof file !== 'string' || file === '' || file.startsWith('/') ? file : `${base}/${file}`;

const absoluteFiles = (files: unknown, base: string | undefined): unknown =>
  Array.isArray(files) ? files.map((file: unknown) => absolute(file, base)) : files;

/** Files of the row, then those of all rows. Other values than lists are left to the validation of a submission. */
const allFiles = (own: unknown, shared: unknown): unknown => {
  if (own === undefined || own === null) return shared;
  return Array.isArray(own) && Array.isArray(shared) ? [...(own as unknown[]), ...(shared as unknown[])] : own;
};

/** Members of a row override those of the batch; settings and directives one by one. */
const merged = (own: unknown, shared: unknown): unknown => {
  if (own === undefined || own === null) return shared;
  return isObject(own) && isObject(shared) ? { ...shared, ...own } : own;
};

/**
 * The submission of a row: its own members, then those of its batch with the row's variables. Relative paths begin at the folder of the
 * manifest. Only here proposal and submitter are set.
 */
export const submissionOfRow = (row: ManifestRow, template: RowTemplate): RowSubmission => {
  const { variables, ...own } = row;
  const problems = [...foreignMembers(row, template), ...problemsOf(variables ?? {})];
  if (problems.length > 0) return { problems };
  const filling = new Filling((variables ?? {}) as Values);
  const shared = filling.defaults(template.defaults ?? {});
  if (filling.missing.size > 0) return { problems: [...filling.missing].map(missingVariable) };
  const { base, proposal, submitter } = template;
  const files = absoluteFiles(allFiles(own.files, shared.files), base);
  const directory = absolute(own.input_directory ?? shared.input_directory, base);
  const members = {
    ...shared,
    ...withoutNulls(own),
    files,
    input_directory: directory,
    settings: merged(own.settings, shared.settings),
    directives: merged(own.directives, shared.directives),
    proposal,
    submitter,
  };
  return { body: withoutNulls(members) };
};

const missingVariable = (name: string): FieldProblem => ({
  field: `variables.${name}`,
  reason: `is missing: the batch names it as {${name}}`,
});

/** In a body null counts as absent. */
const withoutNulls = (members: object): Values =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
