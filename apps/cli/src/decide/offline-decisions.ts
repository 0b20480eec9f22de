import { realpath } from 'node:fs/promises';
import { KnowledgeConfig, loadConfig } from '@fleet/config';
import { isFault } from '@fleet/contracts/faults';
import type { FileFacts } from '@fleet/contracts/sessions';
import { buildDecisionApi, type DecisionApi } from '@fleet/decision-api';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import { offlineInspector } from '../offline/offline-inspector';

/** The decision engine in this process. */
export interface OfflineEngine {
  readonly api: DecisionApi;
  /** The content of a request's local files; other files are known only by name. */
  readonly readFactsOf: (request: unknown) => Promise<ReadonlyMap<string, FileFacts>>;
}

const filesOf = (request: unknown): readonly string[] => {
  const files: unknown = typeof request === 'object' && request !== null ? Reflect.get(request, 'files') : undefined;
  return Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : [];
};

/** Resolves a link; the inspector follows none, and reports problems with a path itself. */
const leadsTo = (path: string): Promise<string> => realpath(path).catch(() => path);

const readFactsOf = async (
  request: unknown,
  inspector: ReturnType<typeof offlineInspector>,
): Promise<ReadonlyMap<string, FileFacts>> => {
  const found = await Promise.all(
    filesOf(request).map(async (path): Promise<readonly [string, FileFacts][]> => {
      try {
        return [[path, (await inspector.inspect(await leadsTo(path), { cycle: 0 })).facts]];
      } catch (error) {
        if (!isFault(error) || !error.code.startsWith('file.')) throw error;
        // A file elsewhere is known by its name; a local unreadable one cannot be given to a program.
        const why = error.problems[0]?.reason ?? error.message;
        return error.code === 'file.missing'
          ? []
          : [[path, { format: 'unknown', notes: [`${why.charAt(0).toUpperCase()}${why.slice(1)}.`] }]];
      }
    }),
  );
  return new Map(found.flat());
};

/**
 * Needs no service.
 * @throws Fault `knowledge.unreadable` or `knowledge.invalid`
 */
export const offlineDecisions = (): OfflineEngine => {
  const ruleBook = loadRuleBook(loadConfig(KnowledgeConfig).folder);
  const clock = { now: () => Date.now() };
  const api = buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock });
  const inspector = offlineInspector();
  return { api, readFactsOf: (request) => readFactsOf(request, inspector) };
};
