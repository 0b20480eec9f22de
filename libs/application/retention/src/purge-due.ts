import { failureText } from '@fleet/contracts/faults';
import {
  mostPurged,
  retentionRuleText,
  shortestRetentionMs,
  type PurgeReport,
  type PurgeRequest,
} from '@fleet/contracts/retention';
import type { RetainedPage, RetainedSession } from '@fleet/ports';
import { finishPurge } from './purge-session';
import type { RetentionDependencies } from './retention-dependencies';
import { keptUntilOf } from './session-retention';

/** Sessions that are deleted concurrently: a file server may be slow. */
const atOnce = 4;

type Part = 'folder' | 'record';

type Outcome =
  | { readonly is: 'kept' | 'held' }
  | { readonly is: 'purged'; readonly rule: string; readonly bytes: number; readonly record: boolean }
  | { readonly is: 'failed'; readonly id: string; readonly reason: string };

const purgeOne = async (
  deps: RetentionDependencies,
  retained: RetainedSession,
  { part, dryRun }: { readonly part: Part; readonly dryRun: boolean },
): Promise<Outcome> => {
  const { records, folders, rules, clock } = deps;
  const { session } = retained;
  const { id } = session;
  const until = keptUntilOf(rules, retained);
  const now = clock.now();
  if (until.rule === undefined || until[part] > now) return { is: 'kept' };
  if (until.hold !== undefined) return { is: 'held' };
  const rule = retentionRuleText(until.rule);
  const record = until.record <= now;
  try {
    if (dryRun) return { is: 'purged', rule, bytes: await folders.bytesOf(session), record };
    if (!(await records.begin(id, { rule, record }, false))) return { is: 'held' };
    return { is: 'purged', rule, bytes: await finishPurge(deps, { session, rule, record }), record };
  } catch (error) {
    return { is: 'failed', id, reason: failureText(error) };
  }
};

const reportOf = (part: Part, outcomes: readonly Outcome[]): Omit<PurgeReport, 'nextCursor'> => {
  const rules = new Map<string, { rule: string; folders: number; bytes: number; records: number }>();
  for (const outcome of outcomes) {
    if (outcome.is !== 'purged') continue;
    const { rule, bytes, record } = outcome;
    const sum = rules.get(rule) ?? { rule, folders: 0, bytes: 0, records: 0 };
    rules.set(rule, {
      rule,
      folders: sum.folders + (part === 'folder' ? 1 : 0),
      bytes: sum.bytes + bytes,
      records: sum.records + (record ? 1 : 0),
    });
  }
  return {
    rules: [...rules.values()],
    held: outcomes.filter(({ is }) => is === 'held').length,
    failed: outcomes.flatMap((outcome) =>
      outcome.is === 'failed' ? [{ id: outcome.id, reason: outcome.reason }] : [],
    ),
  };
};

const pageOf = (
  { records, rules, clock }: RetentionDependencies,
  part: Part,
  cursor: string | undefined,
): Promise<RetainedPage> => {
  const shortest = shortestRetentionMs(rules, part);
  if (shortest === Infinity) return Promise.resolve({ sessions: [] });
  return records.ended(part, clock.now() - shortest, mostPurged, cursor);
};

/** The cursor of the next request: sessions with folders come first, then those without. */
const nextOf = (part: Part, nextCursor: string | undefined): Pick<PurgeReport, 'nextCursor'> => {
  if (nextCursor !== undefined) return { nextCursor: `${part}.${nextCursor}` };
  return part === 'folder' ? { nextCursor: 'record.' } : {};
};

/**
 * Deletes what is due by the rules, up to a number of sessions, the oldest end first.
 * @param after `nextCursor` of the report before
 * @throws Fault `list.bad_cursor` (caller), or transient if the store cannot be reached; earlier deletions stay
 */
export const purgeDue = async (
  deps: RetentionDependencies,
  { dryRun = false, after = '' }: PurgeRequest,
): Promise<PurgeReport> => {
  const part = after.startsWith('record.') ? 'record' : 'folder';
  const cursor = after.replace(/^(?:folder|record)\./, '');
  const { sessions, nextCursor } = await pageOf(deps, part, cursor === '' ? undefined : cursor);
  const outcomes: Outcome[] = [];
  for (let from = 0; from < sessions.length; from += atOnce) {
    const some = sessions.slice(from, from + atOnce);
    outcomes.push(...(await Promise.all(some.map((one) => purgeOne(deps, one, { part, dryRun })))));
  }
  return { ...reportOf(part, outcomes), ...nextOf(part, nextCursor) };
};
