import type { AttemptEnding, CycleRecord, EndingKind } from '@fleet/contracts/sessions';
import { aDecision, anAttempt, anEnding } from '@fleet/testing';
import { afterEnding, type AfterEnding } from './after-ending';

const infrastructure: readonly EndingKind[] = [
  'lost',
  'disk_full',
  'disrupted',
  'node_lost',
  'job_deleted',
  'image_unavailable',
  'unschedulable',
  'gpu_unavailable',
];
const ended = (kind: EndingKind): AttemptEnding =>
  anEnding({ kind, infrastructure: infrastructure.includes(kind), message: `it was ${kind}.` });

/** What follows the last of these endings. */
const decide = (kinds: readonly EndingKind[], largerMiB?: number): AfterEnding => {
  const attempts = kinds.map((kind, index) => anAttempt({ attempt: index + 1, ending: ended(kind) }));
  const record: CycleRecord = { cycle: 1, decision: aDecision(), attempts };
  return afterEnding(record, attempts.at(-1)!.ending!, {
    maxAttempts: 3,
    maxDisruptions: 2,
    largerMemory: () => largerMiB,
  });
};

const again = (pause: boolean): object => ({ then: 'again', pause });

describe('after an ending', () => {
  it.each([
    ['exited', ['exited'], { then: 'analyse' }],
    ['a signal of its own', ['signalled'], { then: 'analyse' }],
    ['its wall clock', ['wall_clock_limit'], { then: 'analyse' }],
    ['a first loss', ['lost'], again(false)],
    ['a second loss', ['lost', 'node_lost'], again(true)],
    ['a third loss', ['lost', 'job_deleted', 'lost'], { then: 'give_up' }],
    ['a full disk', ['disk_full'], again(true)],
    ['a cancel that outlived its session', ['cancelled'], again(false)],
    ['images that cannot be pulled', ['image_unavailable'], again(false)],
    ['a first disruption', ['disrupted'], again(false)],
    ['a second disruption', ['disrupted', 'disrupted'], again(true)],
    ['one disruption too many', ['disrupted', 'disrupted', 'disrupted'], { then: 'give_up' }],
    ['losses and disruptions, each within its limit', ['lost', 'disrupted', 'lost', 'disrupted'], again(true)],
    ['a GPU that never came', ['gpu_unavailable'], again(false)],
    ['a GPU that never came, and losses', ['gpu_unavailable', 'lost', 'lost'], again(true)],
    ['a GPU that never came, twice', ['gpu_unavailable', 'gpu_unavailable'], again(false)],
    ['that again and again', Array<EndingKind>(4).fill('gpu_unavailable'), { then: 'give_up' }],
    ['no more memory available', ['memory_limit'], { then: 'analyse' }],
  ] as const)('%s', (_what, kinds, expected) => {
    expect(decide(kinds)).toMatchObject(expected);
  });

  it('after an out-of-memory kill a program runs again with more, however often it was lost', () => {
    expect(decide(['lost', 'lost', 'memory_limit'], 4096)).toEqual({
      then: 'again',
      pause: false,
      nextAction: 'It runs again with 4096 MiB of memory.',
    });
  });

  it('explains in a sentence what happens next, or why nothing does', () => {
    expect(decide(['lost'])).toMatchObject({ nextAction: 'It runs again as attempt 2.' });
    expect(decide(['lost', 'lost'])).toMatchObject({ nextAction: 'It runs again as attempt 3, after a pause.' });
    expect(decide(['gpu_unavailable'])).toMatchObject({ nextAction: 'It runs again on a CPU.' });
    expect(decide(['lost', 'lost', 'lost'])).toEqual({
      then: 'give_up',
      detail: 'phenix.refine was lost 3 times, which is the limit; the last time: it was lost.',
    });
    expect(decide(['disrupted', 'disrupted', 'disrupted'])).toEqual({
      then: 'give_up',
      detail: 'phenix.refine was disrupted by the cluster 3 times, the limit is 2; the last time: it was disrupted.',
    });
  });
});
