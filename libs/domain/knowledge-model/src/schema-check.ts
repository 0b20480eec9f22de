import type { FieldProblem } from '@fleet/contracts/faults';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020';
import type { KnowledgeFile } from './rule-book';

/** Validates a document against the schema of its kind; returns the problems. */
export type SchemaChecker = (
  kind: string,
  document: { readonly path: string; readonly content: unknown },
) => readonly FieldProblem[];

const wordsOf = (error: ErrorObject): string => {
  const params = error.params as Readonly<Record<string, unknown>>;
  if (error.keyword === 'additionalProperties') return `has the unknown key "${String(params.additionalProperty)}"`;
  if (error.keyword === 'required') return `lacks "${String(params.missingProperty)}"`;
  if (error.keyword === 'enum') return `must be one of ${JSON.stringify(params.allowedValues)}`;
  return error.message ?? error.keyword;
};

/** A `oneOf` reports a problem for every alternative; its own problem is enough. */
const isNoise = (error: ErrorObject, all: readonly ErrorObject[]): boolean =>
  all.some(
    (other) =>
      other.keyword === 'oneOf' &&
      error !== other &&
      error.schemaPath.includes('/oneOf/') &&
      error.instancePath.startsWith(other.instancePath),
  );

const compileAll = (files: readonly KnowledgeFile[], problems: FieldProblem[]): Ajv2020 => {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
  });
  for (const file of files.filter(({ path }) => path.startsWith('schema/'))) {
    try {
      ajv.addSchema(JSON.parse(file.text) as object, file.path.replace(/^schema\//, ''));
    } catch (error) {
      problems.push({
        field: file.path,
        reason: `is not JSON Schema: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }
  return ajv;
};

/** Compiles `schema/*.schema.json`; a schema that does not compile is a problem too. */
export const schemaChecker = (files: readonly KnowledgeFile[], problems: FieldProblem[]): SchemaChecker => {
  const ajv = compileAll(files, problems);
  return (kind, { path, content }) => {
    const validate = ajv.getSchema(`${kind}.schema.json`);
    if (validate === undefined) return [{ field: path, reason: `has no schema (schema/${kind}.schema.json)` }];
    if (validate(content) === true) return [];
    const errors = validate.errors ?? [];
    return errors
      .filter((error) => !isNoise(error, errors))
      .map((error) => ({ field: `${path}#${error.instancePath}`, reason: wordsOf(error) }));
  };
};
