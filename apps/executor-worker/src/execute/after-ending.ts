import type { AttemptEnding, CycleRecord, EndingKind } from '@fleet/contracts/sessions';

export interface RetryLimits {
  /** Launches of one program until infrastructure losses end the session. */
  readonly maxAttempts: number;
  /**
   * Number of allowed preemptions by the cluster; counted apart from losses, because neither the program nor the
   * machine failed.
   */
  readonly maxDisruptions: number;
  /** The next larger memory in MiB, for the cycle including this ending; undefined: there is none. */
  readonly largerMemory: (record: CycleRecord) => number | undefined;
}

/** What follows in a cycle after its attempt has ended. */
export type AfterEnding =
  /** The program ended by itself: the log analysis judges it. */
  | { readonly then: 'analyse' }
  /** A new attempt; `pause`: its cause may need time to pass. `nextAction` describes it in one sentence. */
  | { readonly then: 'again'; readonly pause: boolean; readonly nextAction: string }
  /** No further attempt; `detail` gives the reason in one sentence. */
  | { readonly then: 'give_up'; readonly detail: string };

/** These have their own rules. */
const countedApart: ReadonlySet<EndingKind> = new Set<EndingKind>(['disrupted', 'memory_limit', 'gpu_unavailable']);

/** A cancel that outlived its session is a loss too: the session continued without this attempt. */
const isLoss = ({ kind, infrastructure }: AttemptEnding): boolean =>
  (infrastructure || kind === 'cancelled') && !countedApart.has(kind);

const count = (record: CycleRecord, matches: (ending: AttemptEnding) => boolean): number =>
  record.attempts.filter(({ ending }) => ending !== undefined && matches(ending)).length;

const withoutGpu = (record: CycleRecord): number => count(record, ({ kind }) => kind === 'gpu_unavailable');

const again = (record: CycleRecord, pause: boolean): AfterEnding => {
  const next = Math.max(...record.attempts.map(({ attempt }) => attempt)) + 1;
  return { then: 'again', pause, nextAction: `It runs again as attempt ${next}${pause ? ', after a pause' : ''}.` };
};

const afterDisruption = (record: CycleRecord, { message }: AttemptEnding, most: number): AfterEnding => {
  const disruptions = count(record, ({ kind }) => kind === 'disrupted');
  if (disruptions <= most) return again(record, disruptions > 1);
  const times = disruptions === 1 ? 'once' : `${disruptions} times`;
  const detail = `${record.decision.program} was disrupted by the cluster ${times}, the limit is ${most}; the last time: ${message}`;
  return { then: 'give_up', detail };
};

const afterLoss = (record: CycleRecord, { kind, message }: AttemptEnding, most: number): AfterEnding => {
  const losses = count(record, isLoss) + Math.max(0, withoutGpu(record) - 1);
  if (losses < most) return again(record, losses > 1 || kind === 'disk_full');
  const times = losses === 1 ? 'once' : `${losses} times`;
  const detail = `${record.decision.program} was lost ${times}, which is the limit; the last time: ${message}`;
  return { then: 'give_up', detail };
};

/** Undefined: there is no larger memory, and the log analysis judges it. */
const afterMemoryKill = (larger: number | undefined): AfterEnding =>
  larger === undefined
    ? { then: 'analyse' }
    : { then: 'again', pause: false, nextAction: `It runs again with ${larger} MiB of memory.` };

/** From then on the cycle requests no GPU, so that it does not happen again; a second one counts as a loss. */
const isFirstWithoutGpu = (record: CycleRecord, { kind }: AttemptEnding): boolean =>
  kind === 'gpu_unavailable' && withoutGpu(record) === 1;

/**
 * The single rule for what follows an ending. Depends only on the record.
 * @param record the cycle including this attempt's ending
 */
export const afterEnding = (record: CycleRecord, ending: AttemptEnding, limits: RetryLimits): AfterEnding => {
  if (ending.kind === 'memory_limit') return afterMemoryKill(limits.largerMemory(record));
  if (ending.kind === 'disrupted') return afterDisruption(record, ending, limits.maxDisruptions);
  if (isFirstWithoutGpu(record, ending)) return { then: 'again', pause: false, nextAction: 'It runs again on a CPU.' };
  return isLoss(ending) || ending.kind === 'gpu_unavailable'
    ? afterLoss(record, ending, limits.maxAttempts)
    : { then: 'analyse' };
};
