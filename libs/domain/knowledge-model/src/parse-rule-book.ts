import { createHash } from 'node:crypto';
import { Fault, type FieldProblem } from '@fleet/contracts/faults';
import { canonicalJson } from '@fleet/contracts/service';
import type { ExperimentType } from '@fleet/contracts/sessions';
import { load } from 'js-yaml';
import { crossCheck } from './cross-checks';
import type { KnowledgeFile, RuleBook } from './rule-book';
import { schemaChecker, type ContentOf, type KnowledgeKind, type SchemaChecker } from './schema-check';

/** A file's content after YAML and schema validation; its shape is that of its kind's schema. */
interface Document {
  readonly path: string;
  readonly content: unknown;
}

const singleFiles = ['file_categories', 'metrics', 'errors', 'stops', 'transport', 'advice'] as const;

/** Kind of a file by its path. */
const kindOf = (path: string): KnowledgeKind | undefined => {
  if (/^programs\/[a-z0-9_]+\.yaml$/.test(path)) return 'program';
  if (/^workflows\/[a-z0-9_]+\.yaml$/.test(path)) return 'workflow';
  return singleFiles.find((kind) => path === `${kind}.yaml`);
};

const readYaml = (file: KnowledgeFile, problems: FieldProblem[]): Document | undefined => {
  try {
    return { path: file.path, content: load(file.text, { filename: file.path }) };
  } catch (error) {
    problems.push({
      field: file.path,
      reason: `is not YAML: ${error instanceof Error ? error.message : String(error)}`,
    });
    return undefined;
  }
};

const readDocuments = (
  files: readonly KnowledgeFile[],
  check: SchemaChecker,
  problems: FieldProblem[],
): readonly Document[] => {
  const documents: Document[] = [];
  for (const file of files) {
    const kind = kindOf(file.path);
    if (kind === undefined) {
      problems.push({
        field: file.path,
        reason: 'is not a kind of knowledge file',
        allowed:
          'programs/*.yaml, workflows/*.yaml, file_categories.yaml, metrics.yaml, errors.yaml, stops.yaml, transport.yaml, advice.yaml',
      });
      continue;
    }
    const document = readYaml(file, problems);
    if (document === undefined) continue;
    const found = check(kind, document);
    problems.push(...found);
    if (found.length === 0) documents.push(document);
  }
  return documents;
};

const one = <K extends KnowledgeKind>(
  documents: readonly Document[],
  kind: K,
  problems: FieldProblem[],
  path = `${kind}.yaml`,
): ContentOf<K> | undefined => {
  const found = documents.find((document) => document.path === path);
  if (found === undefined) problems.push({ field: path, reason: 'is missing or invalid' });
  return found?.content as ContentOf<K> | undefined;
};

const sortedByName = (programs: readonly ContentOf<'program'>[]): Readonly<Record<string, ContentOf<'program'>>> =>
  Object.fromEntries(
    programs.toSorted((one_, other) => one_.name.localeCompare(other.name)).map((program) => [program.name, program]),
  );

/** Independent of the order of the files. */
const digestOf = (files: readonly KnowledgeFile[]): string => {
  const entries = files.map(({ path, text }) => [path, text] as const);
  return createHash('sha256')
    .update(canonicalJson(Object.fromEntries(entries)))
    .digest('hex');
};

const assemble = (
  documents: readonly Document[],
  files: readonly KnowledgeFile[],
  problems: FieldProblem[],
): RuleBook | undefined => {
  const categories = one(documents, 'file_categories', problems);
  const metrics = one(documents, 'metrics', problems);
  const errors = one(documents, 'errors', problems);
  const stops = one(documents, 'stops', problems);
  const transport = one(documents, 'transport', problems);
  const advice = one(documents, 'advice', problems);
  const workflow = (experiment: ExperimentType): ContentOf<'workflow'> | undefined =>
    one(documents, 'workflow', problems, `workflows/${experiment}.yaml`);
  const [xray, cryoem] = [workflow('xray'), workflow('cryoem')];
  const programs = documents
    .filter(({ path }) => path.startsWith('programs/'))
    .map(({ content }) => content as ContentOf<'program'>);
  if (!categories || !metrics || !errors || !stops || !transport || !advice || !xray || !cryoem) return undefined;
  return {
    digest: digestOf(files),
    programs: sortedByName(programs),
    workflows: { xray, cryoem },
    fileCategories: categories.categories,
    metrics: metrics.metrics,
    geometry: metrics.geometry,
    bestFiles: metrics.best_files,
    ligandEvidence: metrics.ligand_evidence,
    placementEvidence: metrics.placement_evidence,
    summary: metrics.summary,
    errors,
    stopWords: stops.stops,
    transport,
    advice,
  };
};

/**
 * Makes the rule book from the files of `knowledge/`: YAML, the schema of each kind, then the checks
 * across files (unknown facts, categories, programs, steps).
 * @throws Fault `knowledge.invalid` with every problem; a problem's field is the file with its JSON path.
 */
export const parseRuleBook = (files: readonly KnowledgeFile[]): RuleBook => {
  const problems: FieldProblem[] = [];
  const documents = readDocuments(files, schemaChecker(), problems);
  const ruleBook = assemble(documents, files, problems);
  if (ruleBook !== undefined)
    problems.push(
      ...crossCheck(
        ruleBook,
        documents.map(({ path }) => path),
      ),
    );
  if (ruleBook === undefined || problems.length > 0) {
    const list = problems.map(({ field, reason }) => `${field} ${reason}`).join('\n  ');
    throw new Fault('knowledge.invalid', 'caller', `The knowledge is invalid:\n  ${list}`, { problems });
  }
  return ruleBook;
};
