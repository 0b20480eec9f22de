import type { FieldProblem } from '@fleet/contracts/faults';
import { closed, type Described } from '@fleet/contracts/schema';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020';
import { adviceKnowledge } from './advice-knowledge';
import { conditionSchema } from './conditions';
import { errorKnowledge } from './error-knowledge';
import { fileCategories } from './file-knowledge';
import { metricKnowledge } from './metric-knowledge';
import { programKnowledge } from './program-knowledge';
import { transportKnowledge } from './transport-knowledge';
import { stopKnowledge, workflowKnowledge } from './workflow-knowledge';

/** Validates a document against the schema of its kind; returns the problems. */
export type SchemaChecker = (
  kind: KnowledgeKind,
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

/** The schema of each kind of file. */
const schemaOfKind = {
  program: programKnowledge,
  workflow: workflowKnowledge,
  file_categories: fileCategories,
  metrics: metricKnowledge,
  errors: errorKnowledge,
  stops: stopKnowledge,
  transport: transportKnowledge,
  advice: adviceKnowledge,
};

/** `program` and `workflow`: the files of a folder; the others: one file each. */
export type KnowledgeKind = keyof typeof schemaOfKind;

/** The content of a file of each kind. */
export type ContentOf<K extends KnowledgeKind> = Described<(typeof schemaOfKind)[K]>;

/** Compiles the schemas of all kinds. */
export const schemaChecker = (): SchemaChecker => {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
  });
  ajv.addSchema(conditionSchema, 'condition');
  for (const [kind, schema] of Object.entries(schemaOfKind)) ajv.addSchema(closed<unknown>(schema), kind);
  return (kind, { path, content }) => {
    if (ajv.validate(kind, content)) return [];
    const errors = ajv.errors ?? [];
    return errors
      .filter((error) => !isNoise(error, errors))
      .map((error) => ({ field: `${path}#${error.instancePath}`, reason: wordsOf(error) }));
  };
};
