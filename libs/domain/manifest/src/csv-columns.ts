import type { FieldProblem } from '@fleet/contracts/faults';
import { nearestName, shown, type JsonSchema } from '@fleet/contracts/schema';
import { ligandOfLine, submissionSchema, type RequestedLigand } from '@fleet/contracts/sessions';
import { manifestFault } from './manifest-fault';
import type { ManifestRow } from './manifest-row';

/** The target member of a column, and its schema; without a schema cells are text. */
interface Column {
  readonly path: readonly string[];
  readonly schema?: JsonSchema;
}

/** Several values in a cell: file names with ";" need YAML or JSON, and SMILES never contain it. */
const valuesIn = (cell: string): readonly string[] => cell.split(';').map((value) => value.trim());

/** Ligands without a file. */
const ligandColumns: Readonly<Record<string, (text: string) => RequestedLigand>> = {
  'ligands.code': (code) => ({ code }),
  'ligands.smiles': ligandOfLine,
};

const variableName = /^[a-z][a-z0-9_]{0,63}$/;
/** Members of a submission that a row may not have: they belong to its batch. */
const ofBatch: readonly string[] = ['submitter'];
/** Members of a submission that a cell cannot hold, neither completely nor in part. */
const ofRows: readonly string[] = [...ofBatch, 'ligands'];

const membersOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> => schema.properties ?? {};

/** The schema at a dotted name; undefined for an unknown name. */
const schemaAt = (schema: JsonSchema, [name, ...inside]: readonly string[]): JsonSchema | undefined => {
  if (name === undefined) return schema;
  const members = membersOf(schema);
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  return member === undefined ? undefined : schemaAt(member, inside);
};

/** Names of columns, for people. Of directives those that one cell can hold. */
const namesIn = (schema: JsonSchema, before: string): readonly string[] =>
  Object.entries(membersOf(schema)).flatMap(([name, member]) => {
    if (before === '' && ofBatch.includes(name)) return [];
    if (before === '' && name === 'ligands') return Object.keys(ligandColumns);
    return member.type === 'object' ? namesIn(member, `${before}${name}.`) : [`${before}${name}`];
  });

let known: readonly string[] | undefined;
/** Every valid column name, except for `files.…` and `variables.…`, which accept any suffix. */
const columnNames = (): readonly string[] => (known ??= namesIn(submissionSchema, ''));

const variableColumn = ([variable = '', ...more]: readonly string[]): Column | undefined =>
  more.length === 0 && variableName.test(variable) ? { path: ['variables', variable] } : undefined;

const columnOf = (name: string): Column | undefined => {
  const [member = '', ...inside] = name.split('.');
  if (Object.hasOwn(ligandColumns, name)) return { path: [member, ...inside] };
  if (member === 'files') return { path: ['files'] };
  if (member === 'variables') return variableColumn(inside);
  const schema = ofRows.includes(member) ? undefined : schemaAt(submissionSchema, [member, ...inside]);
  return schema === undefined || schema.type === 'object' ? undefined : { path: [member, ...inside], schema };
};

const unknownColumn = (name: string): FieldProblem => {
  const near = nearestName(name, columnNames());
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  const allowed = `files, files.NAME, variables.NAME, ${columnNames()
    .filter((one) => one !== 'files')
    .join(', ')}`;
  return { field: 'columns', reason: `${shown(name)} is not a column of a manifest${hint}`, allowed };
};

const isNumber = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

const isOf = ({ type = [] }: JsonSchema, ...names: readonly string[]): boolean =>
  (typeof type === 'string' ? [type] : type).some((one) => names.includes(one));

/** A cell converted to the type of its schema; otherwise it stays text, and the validation reports it. */
const valueOf = (cell: string, schema: JsonSchema | undefined): unknown => {
  if (schema === undefined) return cell;
  const text = cell.trim();
  if (isOf(schema, 'number', 'integer') && isNumber.test(text)) return Number(text);
  if (isOf(schema, 'boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (isOf(schema, 'array')) return valuesIn(text);
  return cell;
};

/** Sets a value at a path, and creates the objects on it. */
const put = (row: Record<string, unknown>, [name = '', ...inside]: readonly string[], value: unknown): void => {
  if (inside.length === 0) row[name] = value;
  else put((row[name] ??= {}) as Record<string, unknown>, inside, value);
};

/** The columns of a CSV manifest: names of submission members, with dots for nested ones. */
export class CsvColumns {
  private constructor(private readonly columns: readonly Column[]) {}

  /** @throws Fault `manifest.invalid` with all problems of the header */
  static of(header: readonly string[]): CsvColumns {
    const names = header.map((name) => name.trim());
    const columns = names.map(columnOf);
    const twice = names.filter(
      (name, index) => name !== 'files' && columns[index] !== undefined && names.indexOf(name) < index,
    );
    const problems = [
      ...names.filter((_, index) => columns[index] === undefined).map(unknownColumn),
      ...twice.map((name) => ({ field: 'columns', reason: `${shown(name)} stands in the header twice` })),
    ];
    if (problems.length > 0) throw manifestFault('The header of the manifest is wrong; no row was read.', problems);
    return new CsvColumns(columns.filter((column) => column !== undefined));
  }

  get count(): number {
    return this.columns.length;
  }

  /** Members of empty cells are absent. */
  rowOf(cells: readonly string[]): ManifestRow {
    const row: Record<string, unknown> = {};
    const files: string[] = [];
    const ligands: RequestedLigand[] = [];
    this.columns.forEach(({ path, schema }, index) => {
      const cell = cells[index] ?? '';
      if (cell.trim() === '') return;
      const ligandOf = ligandColumns[path.join('.')];
      if (path[0] === 'files') files.push(...valuesIn(cell));
      else if (ligandOf !== undefined) ligands.push(...valuesIn(cell).map(ligandOf));
      else put(row, path, valueOf(cell, schema));
    });
    return { ...row, ...(ligands.length > 0 && { ligands }), ...(files.length > 0 && { files }) };
  }
}
