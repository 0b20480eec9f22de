import type { ModelRequestEntry } from '@fleet/contracts/models';
import type { AttemptRecord, CycleRecord, Session } from '@fleet/contracts/sessions';
import { aCycle, aDecision, anAttempt, aResult, aSession } from '@fleet/testing';
import { toTraceView } from './trace-view';

const at = (second: number): string => `2026-11-23T08:00:${String(second).padStart(2, '0')}.000Z`;
const exited = { kind: 'exited', exitCode: 0, message: 'ended with exit code 0', infrastructure: false } as const;
const inquiry = { target: 'site', model: 'qwen3', prompt: 'plan 1', hash: 'ab' } as const;
const request = (number: number, changes: Partial<ModelRequestEntry> = {}): ModelRequestEntry => ({
  ...inquiry,
  number,
  work: 'c001-plan',
  at: at(1),
  result: 'answered',
  latencyMs: 1500,
  inputTokens: 900,
  outputTokens: 40,
  cost: 0.25,
  ...changes,
});
const rows = (session: Session, requests: readonly ModelRequestEntry[] = []): readonly string[] =>
  toTraceView(session, requests).operations.map(({ path, kind, status, what, startedAt, endedAt, note }) =>
    [path, kind, status, what, startedAt?.slice(17, 19) ?? '-', endedAt?.slice(17, 19) ?? '-', note ?? '']
      .join('|')
      .replace(/\|$/, ''),
  );

const lost = { kind: 'node_lost', message: 'its node went away', infrastructure: true } as const;
const twice = aCycle({
  decision: aDecision({ program: 'phenix.refine', decidedBy: 'rules', decidedAt: at(5) }),
  attempts: [
    anAttempt({ startedAt: at(5), ending: { ...lost, endedAt: at(10), durationMs: 5000 } }),
    anAttempt({
      attempt: 2,
      startedAt: at(13),
      provider: 'simulated',
      resources: { class: 'gpu', cpus: 4, memoryMiB: 4096 },
      ending: { ...exited, endedAt: at(20), durationMs: 7000 },
    }),
  ],
  result: aResult({ analysedAt: at(22), summary: 'R-free 0.28' }),
});

const withoutResult = ({ cycle, decision, attempts }: CycleRecord): CycleRecord => ({ cycle, decision, attempts });
const withoutEnding = ({ attempt, backend, provider, programVersion, startedAt }: AttemptRecord): AttemptRecord => ({
  attempt,
  backend,
  provider,
  programVersion,
  startedAt,
});

describe('the trace of a session', () => {
  it('contains each cycle with its decision, requests, attempts and analysis, and their durations', () => {
    const session = aSession({ cycles: [twice], cycle: 2, createdAt: at(0) });
    const failed = request(1, { result: 'timeout', why: 'silent for 30 s', latencyMs: 2000, cost: null });
    expect(rows(session, [failed, request(2, { at: at(3) })])).toEqual([
      '1|cycle|done|phenix.refine|01|22',
      '1.1|decision|done|phenix.refine|01|05|decided by the rules',
      '1.1.1|request|failed|site (qwen3), prompt plan 1|01|03|timeout: silent for 30 s',
      '1.1.2|request|done|site (qwen3), prompt plan 1|03|04',
      '1.2|program|failed|phenix.refine (attempt 1, local)|05|10|its node went away',
      '1.3|wait|done|phenix.refine|10|13',
      '1.4|program|done|phenix.refine [SIMULATED] (attempt 2, local, GPU)|13|20|ended with exit code 0',
      '1.5|analysis|done|log and files|20|22|R-free 0.28',
      '2|cycle|open|no program|-|-',
      '2.1|decision|open|the next program|-|-',
    ]);
  });

  it('states why no model made a decision of the rules, and what to do', () => {
    const planning = { failed: 'model_auth', why: 'site: it answered 401', prompt: 'plan 1', requests: 1 } as const;
    const cycle = { ...twice, decision: { ...twice.decision, planning } };
    const { operations } = toTraceView(aSession({ cycles: [cycle] }), []);
    expect(operations.find(({ kind }) => kind === 'decision')?.note).toBe(
      "decided by the rules; no model did: site: it answered 401. Correct the target's key file, and restart the decision workers.",
    );
  });

  it('sums the usage of requests, and counts those with an unknown cost', () => {
    const session = aSession({ cycles: [twice], cycle: 2 });
    const unpriced = { ...inquiry, number: 2, work: 'c002-plan', at: at(30) };
    const trace = toTraceView(session, [request(1), unpriced]);
    expect(trace.spent).toEqual({ requests: 2, inputTokens: 900, outputTokens: 40, cost: 0.25, unpriced: 1 });
    expect(trace.operations.find(({ path }) => path === '1')?.spent?.cost).toBe(0.25);
    expect(trace.operations.find(({ path }) => path === '2.1.1')).toMatchObject({ status: 'open', startedAt: at(30) });
  });

  it('contains work in progress: a wait, a program, an analysis', () => {
    const begun = withoutResult(twice);
    const last = (session: Session): string | undefined => rows(session).at(-1);
    const waiting = { since: at(6), reason: 'All slots are taken.', queuedOnBackend: true, reportedAt: at(6) } as const;
    const launched = { attempt: 1, backend: 'local', provider: 'open-phenix', programVersion: '1' } as const;
    const waits = { ...begun, attempts: [], waiting: { ...launched, ...waiting } };
    expect(last(aSession({ cycles: [waits], stage: 'executing' }))).toBe(
      '1.2|wait|open|phenix.refine|06|-|All slots are taken.',
    );
    const running = withoutEnding(anAttempt({ startedAt: at(5) }));
    expect(last(aSession({ cycles: [{ ...begun, attempts: [running] }], stage: 'executing' }))).toBe(
      '1.2|program|open|phenix.refine (attempt 1, local)|05|-',
    );
    expect(last(aSession({ cycles: [begun], stage: 'analysing' }))).toBe('1.5|analysis|open|log and files|20|-');
  });

  it('states what a decision waits for', () => {
    const { operations } = toTraceView(aSession({ waiting: { since: at(6), reason: 'site: it is down' } }), []);
    expect(operations.at(-1)).toMatchObject({
      kind: 'decision',
      status: 'open',
      note: `waits for a language model since ${at(6).slice(0, 19)}Z: site: it is down`,
    });
  });

  it('contains assessments after the cycles, each with its requests', () => {
    const session = aSession({ cycles: [], status: 'cancelled' });
    const failed = request(1, { work: 'a001-assess', result: 'timeout', cost: null });
    const entries = [failed, request(2, { work: 'a002-assess', at: at(3) })];
    const trace = toTraceView(session, entries);
    expect(trace.operations.map(({ path, kind, status }) => `${path} ${kind} ${status}`)).toEqual([
      'a1 assessment failed',
      'a1.1 request failed',
      'a2 assessment done',
      'a2.1 request done',
    ]);
    expect(trace.spent).toMatchObject({ requests: 2, cost: 0.25 });
  });

  it('has nothing in progress in an ended session, and keeps the requests of a removed cycle', () => {
    const begun = withoutResult(twice);
    const running = withoutEnding(anAttempt({ startedAt: at(5) }));
    const session = aSession({ cycles: [{ ...begun, attempts: [running] }], status: 'cancelled', updatedAt: at(40) });
    const trace = toTraceView(session, [request(1, { work: 'c002-plan' })]);
    expect(trace).toMatchObject({ status: 'cancelled', endedAt: at(40) });
    expect(trace.operations.map(({ path, status }) => `${path} ${status}`)).toEqual([
      '1 failed',
      '1.1 done',
      '1.2 failed',
      '2 done',
      '2.1 done',
      '2.1.1 done',
    ]);
  });
});
