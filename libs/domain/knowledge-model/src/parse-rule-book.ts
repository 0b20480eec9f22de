import { createHash } from 'node:crypto';
import { Fault, type FieldProblem } from '@fleet/contracts/faults';
import { canonicalJson } from '@fleet/contracts/service';
import type { ExperimentType, StopReason } from '@fleet/contracts/sessions';
import { load } from 'js-yaml';
import type { AdviceKnowledge } from './advice-knowledge';
import { crossCheck } from './cross-checks';
import type { ErrorKnowledge } from './error-knowledge';
import type { FileCategory } from './file-knowledge';
import type {
  BestFileScoring,
  GeometryRules,
  LigandEvidenceRules,
  MetricDefinition,
  SummaryDisplay,
} from './metric-knowledge';
import type { PlacementRules } from './placement-knowledge';
import type { ProgramKnowledge } from './program-knowledge';
import type { KnowledgeFile, RuleBook } from './rule-book';
import { schemaChecker, type SchemaChecker } from './schema-check';
import type { TransportKnowledge } from './transport-knowledge';
import type { StopWords, WorkflowKnowledge } from './workflow-knowledge';

/** A file's content after YAML and schema validation; its shape is that of its kind's schema. */
interface Document {
  readonly path: string;
  readonly content: unknown;
}

/** Kind of a file by its path; each kind has `schema/<kind>.schema.json`. */
const kindOf = (path: string): string | undefined => {
  if (/^programs\/[a-z0-9_]+\.yaml$/.test(path)) return 'program';
  if (/^workflows\/[a-z0-9_]+\.yaml$/.test(path)) return 'workflow';
  return /^(file_categories|metrics|errors|stops|transport|advice)\.yaml$/.exec(path)?.[1];
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
  for (const file of files.filter(({ path }) => !path.startsWith('schema/'))) {
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

const one = (documents: readonly Document[], path: string, problems: FieldProblem[]): unknown => {
  const found = documents.find((document) => document.path === path);
  if (found === undefined) problems.push({ field: path, reason: 'is missing or invalid' });
  return found?.content;
};

const sortedByName = (programs: readonly ProgramKnowledge[]): Readonly<Record<string, ProgramKnowledge>> =>
  Object.fromEntries(
    programs.toSorted((one_, other) => one_.name.localeCompare(other.name)).map((program) => [program.name, program]),
  );

interface CategoryFile {
  readonly categories: readonly FileCategory[];
}

interface StopFile {
  readonly stops: Readonly<Record<StopReason, StopWords>>;
}

interface MetricFile {
  readonly metrics: Readonly<Record<string, MetricDefinition>>;
  readonly geometry: GeometryRules;
  readonly best_files: Readonly<Record<string, BestFileScoring>>;
  readonly ligand_evidence: LigandEvidenceRules;
  readonly placement_evidence: PlacementRules;
  readonly summary: SummaryDisplay;
}

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
  const categories = one(documents, 'file_categories.yaml', problems) as CategoryFile | undefined;
  const metrics = one(documents, 'metrics.yaml', problems) as MetricFile | undefined;
  const errors = one(documents, 'errors.yaml', problems) as ErrorKnowledge | undefined;
  const stops = one(documents, 'stops.yaml', problems) as StopFile | undefined;
  const transport = one(documents, 'transport.yaml', problems) as TransportKnowledge | undefined;
  const advice = one(documents, 'advice.yaml', problems) as AdviceKnowledge | undefined;
  const workflow = (experiment: ExperimentType): WorkflowKnowledge | undefined =>
    one(documents, `workflows/${experiment}.yaml`, problems) as WorkflowKnowledge | undefined;
  const [xray, cryoem] = [workflow('xray'), workflow('cryoem')];
  const programs = documents
    .filter(({ path }) => path.startsWith('programs/'))
    .map(({ content }) => content as ProgramKnowledge);
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
 * Makes the rule book from the files of `knowledge/` (including `schema/*.schema.json`): YAML, JSON Schema of each kind, then the checks
 * across files (unknown facts, categories, programs, steps).
 * @throws Fault `knowledge.invalid` with every problem; a problem's field is the file with its JSON path.
 */
export const parseRuleBook = (files: readonly KnowledgeFile[]): RuleBook => {
  const problems: FieldProblem[] = [];
  const documents = readDocuments(files, schemaChecker(files, problems), problems);
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
