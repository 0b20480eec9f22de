import { isFault } from '@fleet/contracts/faults';
import { attemptName } from '@fleet/contracts/runs';
import { currentCycle, type AttemptRecord, type Session, type SessionHead } from '@fleet/contracts/sessions';
import { claimantOf, type Nodes } from '@fleet/fair-shares';
import type { RunSlots, SessionIndex, SessionRecords } from '@fleet/ports';
import type { CurrentPolicy } from './current-policy';
import { sharedRunOf } from './shared-run';

const pageSize = 100;

export interface RunCountDependencies {
  readonly slots: Pick<RunSlots, 'members' | 'running' | 'waiting' | 'counted'>;
  readonly index: Pick<SessionIndex, 'list'>;
  readonly records: Pick<SessionRecords, 'load'>;
  readonly policy: Pick<CurrentPolicy, 'read'>;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Counts running programs from the session records. A program that runs according to its record but has no slot (Redis
 * was emptied, a process died) gets one. Waiting ones request it themselves. Without a count nothing is launched.
 */
export class RunCount {
  private counting: Promise<void> | undefined;

  constructor(private readonly deps: RunCountDependencies) {}

  /** One at a time, however many callers. */
  recount(): Promise<void> {
    this.counting ??= this.recountNow().finally(() => {
      this.counting = undefined;
    });
    return this.counting;
  }

  private async recountNow(): Promise<void> {
    const { slots } = this.deps;
    const members = new Set(await slots.members());
    for (const status of ['running', 'cancelling'] as const) await this.countAll(status, members);
    await slots.counted((await this.deps.policy.read()).site);
  }

  private async countAll(status: 'running' | 'cancelling', members: ReadonlySet<string>): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = await this.deps.index.list({ status }, pageSize, cursor);
      for (const head of page.sessions.filter((one) => isMissing(one, members))) await this.count(head);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  private async count({ id }: SessionHead): Promise<void> {
    const session = await this.readable(id);
    const seen = session?.stage === 'executing' ? seenOf(session) : undefined;
    if (session === undefined || seen === undefined) return;
    const run = sharedRunOf(session, seen.nodes);
    await this.deps.slots.running(claimantOf(run, await this.deps.policy.read()));
    if (seen.queuedOnBackend) await this.deps.slots.waiting(run, 'in_line');
  }

  /** A damaged record does not prevent the others from being counted; the next read reports it as well. */
  private async readable(id: string): Promise<Session | undefined> {
    try {
      return await this.deps.records.load(id);
    } catch (error) {
      if (!isFault(error) || error.code !== 'session.damaged') throw error;
      this.deps.onError(`counting running programs: ${id} is skipped`, error);
      return undefined;
    }
  }
}

interface CountedRun {
  readonly nodes: Nodes;
  readonly queuedOnBackend: boolean;
}

const nodesOf = ({ resources }: Pick<AttemptRecord, 'resources'>): Nodes => resources?.class ?? 'cpu';

/** The launched and not yet ended program of a record; undefined if there is none. */
const seenOf = (session: Session): CountedRun | undefined => {
  const record = currentCycle(session);
  const runs = record?.attempts.find(({ attempt, ending }) => attempt === session.attempt && ending === undefined);
  if (runs !== undefined) return { nodes: nodesOf(runs), queuedOnBackend: false };
  const waits = record?.waiting;
  return waits?.attempt === session.attempt && waits.queuedOnBackend
    ? { nodes: nodesOf(waits), queuedOnBackend: true }
    : undefined;
};

const isMissing = ({ id, stage, cycle, attempt }: SessionHead, members: ReadonlySet<string>): boolean =>
  stage === 'executing' && !members.has(attemptName(id, cycle, attempt));
