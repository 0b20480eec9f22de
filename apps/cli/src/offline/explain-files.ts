import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isFault } from '@fleet/contracts/faults';
import type { FileUse, SessionFile } from '@fleet/contracts/sessions';
import { usesOfFiles } from '@fleet/commands';
import { bestFiles, categorise, categoryReasons, type CategoryReason, type ScoredFile } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';
import { fileUseText, plainLine } from '@fleet/session-report';
import { fileText } from '@fleet/session-summary';
import { unreadable } from '../cli-error';
import type { CommandContext } from '../command-context';
import { exitCodes, type ExitCode } from '../exit-codes';
import { conditionText } from './condition-text';
import { offlineInspector } from './offline-inspector';
import { openRuleBook } from './open-knowledge';

interface Unreadable {
  readonly path: string;
  readonly problem: string;
}

interface ExplainedFile {
  readonly path: string;
  readonly facts: SessionFile['facts'];
  readonly categories: readonly CategoryReason[];
  /** How a session of these files would use it; absent if they belong to two experiments. */
  readonly use?: FileUse;
  /** Categories in which it ranks first among these files. */
  readonly best: readonly (Pick<ScoredFile, 'score' | 'parts'> & { readonly category: string })[];
}

/** The files directly in a folder; any other path itself, with links resolved. */
const expand = async (path: string): Promise<readonly string[]> => {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!found.isDirectory()) return [await realpath(path)];
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(path, name))
    .sort();
};

const inspectAll = async (paths: readonly string[]): Promise<readonly (SessionFile | Unreadable)[]> => {
  const inspector = offlineInspector();
  const inspected: (SessionFile | Unreadable)[] = [];
  for (const path of paths) {
    const one = await inspector.inspect(path, { cycle: 0 }).catch((error: unknown) => {
      if (isFault(error)) return { path, problem: error.message };
      throw error;
    });
    inspected.push(one);
  }
  return inspected;
};

/** With both reflections and maps, the session must name its experiment. */
const usesIfOneExperiment = (files: readonly SessionFile[], ruleBook: RuleBook): readonly FileUse[] => {
  try {
    return usesOfFiles(files, ruleBook);
  } catch (error) {
    if (isFault(error) && error.kind === 'caller') return [];
    throw error;
  }
};

const explain = (files: readonly SessionFile[], ruleBook: RuleBook) => {
  const { fileCategories, bestFiles: scoring } = ruleBook;
  const uses = new Map(usesIfOneExperiment(files, ruleBook).map((use) => [use.path, use]));
  const reasons = categoryReasons(files, fileCategories);
  const categorised = categorise(files, fileCategories);
  const best = [...bestFiles({ categorised, cycles: [], scoring, rules: ruleBook })];
  return files.map((file): ExplainedFile => {
    const use = uses.get(file.path);
    return {
      path: file.path,
      facts: file.facts,
      categories: reasons.get(file) ?? [],
      ...(use !== undefined && { use }),
      best: best
        .filter(([, scored]) => scored.file === file)
        .map(([category, { score, parts }]) => ({ category, score, parts })),
    };
  });
};

const reasonText = ({ names, content, by }: CategoryReason): string => {
  if (by !== undefined) return `${by} is a kind of it`;
  const found = [
    ...(names.length === 0 ? [] : [`its name matches ${names.join(' and ')}`]),
    ...(content.length === 0 ? [] : [`content: ${content.map(conditionText).join(', ')}`]),
  ];
  return found.length === 0 ? 'its format' : found.join('; ');
};

const linesOf = ({ path, facts, categories, use, best }: ExplainedFile): readonly string[] => [
  plainLine(path),
  `  content   ${facts.format}: ${plainLine(fileText({ facts }))}`,
  ...(facts.notes ?? []).map((note) => `  note      ${plainLine(note)}`),
  ...(use === undefined ? [] : [`  use       ${fileUseText(use)}`]),
  ...(categories.length === 0 ? ['  category  none'] : []),
  ...categories.flatMap((reason) => [
    `  category  ${reason.category}: ${reasonText(reason)}`,
    `            (${plainLine(reason.why)})`,
  ]),
  ...best.map(({ category, score, parts }) => {
    const sum = parts.map(({ name, points }) => `${name} ${points.toFixed(0)}`).join(' + ');
    return `  best      ${category}: ${score.toFixed(0)} points (${sum})`;
  }),
];

/** `phx classify`: how the agent classifies each file, and why. */
export const explainFiles = async (context: CommandContext, names: readonly string[]): Promise<ExitCode> => {
  const ruleBook = openRuleBook(context.terminal);
  const paths = (await Promise.all(names.map((name) => expand(resolve(context.terminal.cwd, name))))).flat();
  const inspected = await inspectAll(paths);
  const broken = inspected.filter((one): one is Unreadable => 'problem' in one);
  const files = explain(
    inspected.filter((one): one is SessionFile => 'facts' in one),
    ruleBook,
  );
  context.print({ files, unreadable: broken }, () => [
    ...files.flatMap((file) => [...linesOf(file), '']),
    ...broken.flatMap(({ path, problem }) => [plainLine(path), `  UNUSABLE  ${plainLine(problem)}`, '']),
    ...(files.length > 1 ? ['Best files, uses and pairs of half maps are determined among all of these files.'] : []),
  ]);
  return broken.length === 0 ? exitCodes.ok : exitCodes.usage;
};
