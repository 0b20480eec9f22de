import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { planWorkOf, type ModelOutcome } from '@fleet/contracts/models';
import type { AttemptRecord, CycleRecord, Session } from '@fleet/contracts/sessions';
import { MODEL_LEDGER, type ModelLedger } from '@fleet/ports';
import {
  aCycle,
  aDecision,
  anAttempt,
  anEvent,
  anId,
  aNewSession,
  aRequest,
  aResult,
  someSettings,
} from '@fleet/testing';
import type { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';
import { steps, type Step } from './shown-steps';

/** Seconds of one cycle: it waits, runs, is analysed, and the next one is decided. */
interface Pace {
  readonly wait: number;
  readonly run: number;
  readonly analyse: number;
  readonly decide: number;
}

const pace: Pace = { wait: 40, run: 90, analyse: 4, decide: 6 };
const paces: readonly Pace[] = [
  { wait: 0, run: 18, analyse: 3, decide: 5 },
  { wait: 0, run: 25, analyse: 3, decide: 9 },
  { wait: 95, run: 210, analyse: 6, decide: 12 },
  { wait: 0, run: 64, analyse: 4, decide: 8 },
  { wait: 20, run: 240, analyse: 6, decide: 11 },
  { wait: 0, run: 38, analyse: 3, decide: 7 },
  { wait: 0, run: 30, analyse: 3, decide: 4 },
];
const paceOf = (at: number): Pace => paces[at] ?? pace;
const lengthOf = ({ wait, run, analyse, decide }: Pace): number => wait + run + analyse + decide;

const attemptAt = (time: (second: number) => string, from: number, to: number): AttemptRecord =>
  anAttempt({
    startedAt: time(from),
    ending: { ...anAttempt().ending!, endedAt: time(to), durationMs: (to - from) * 1000 },
  });

/** A cycle that begins at that second; the third is launched twice. */
const cycleAt = (time: (second: number) => string, step: Step, at: number, start: number): CycleRecord => {
  const { wait, run, analyse, decide } = paceOf(at);
  const decided = start + decide;
  const from = decided + wait;
  const ended = from + run;
  const lost = {
    ...anAttempt({ startedAt: time(from) }),
    ending: {
      kind: 'node_lost',
      message: `its node vanished ${hostile}`,
      infrastructure: true,
      endedAt: time(from + run / 3),
      durationMs: run * 333,
    },
  } as const satisfies AttemptRecord;
  const again = { ...attemptAt(time, from + run / 3 + 20, ended), attempt: 2 };
  return aCycle({
    cycle: at + 1,
    decision: aDecision({
      program: `phenix.${step.program}`,
      step: step.step,
      reasoning: step.why,
      decidedBy: 'model',
      planning: { prompt: 'plan 1', target: 'site-vllm', model: 'qwen3-32b', requests: 1 },
      decidedAt: time(decided),
    }),
    attempts: at === 2 ? [lost, again] : [attemptAt(time, from, ended)],
    result: aResult({ summary: step.says, metrics: step.metrics ?? {}, analysedAt: time(ended + analyse) }),
  });
};

/** What a request to a model came to, by its number in the session. */
const outcomeOf = (number: number, cameLate: boolean): ModelOutcome =>
  cameLate
    ? { result: 'timeout', why: 'nothing came for 60 s', latencyMs: 4_000, cost: null }
    : {
        result: 'answered',
        latencyMs: 3_000 + 400 * number,
        inputTokens: 2_900 + 210 * number,
        outputTokens: 140 + 9 * number,
        cost: 0.0021 + number / 10_000,
      };

interface Question {
  readonly session: string;
  readonly name: string;
  readonly at: string;
  readonly outcome: ModelOutcome;
  readonly hash: string;
}

const ask = async ({ gateway }: ShownBrowser, { session, name, at, outcome, hash }: Question): Promise<void> => {
  const ledger = gateway.app.get<ModelLedger>(MODEL_LEDGER, { strict: false });
  const work = { session, proposal: 'mx1234', name };
  await ledger.hold(work);
  const prompt = { target: 'site-vllm', model: 'qwen3-32b', prompt: 'plan 1', hash, at };
  const most = { requests: 1, tokens: 1, cost: 0 };
  const reserved = await ledger.reserve(work, prompt, most, {});
  if ('refused' in reserved) throw new Error(JSON.stringify(reserved));
  await ledger.settle(work, reserved, outcome, { requests: 0, tokens: 0, cost: 0 });
  await ledger.release(work);
};

/** A session whose times fit together, with a model that was asked in each of its first cycles. @returns its id */
export const tracedSession = async (
  shown: ShownBrowser,
  options: {
    readonly title: string;
    readonly cycles?: number;
    readonly asked?: number;
    readonly isRunning?: boolean;
    readonly settings?: Parameters<typeof someSettings>[0];
  },
): Promise<string> => {
  const id = anId();
  const count = options.cycles ?? steps.length;
  const lengths = Array.from({ length: count }, (_, at) => lengthOf(paceOf(at)));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const begin = Date.now() - (total + 120) * 1000;
  const time = (second: number): string => new Date(begin + second * 1000).toISOString();
  let start = 2;
  const cycles: CycleRecord[] = [];
  const asks: (() => Promise<void>)[] = [];
  for (const [at, length] of lengths.entries()) {
    cycles.push(cycleAt(time, steps[at] ?? steps[4]!, at, start));
    if (at < (options.asked ?? count)) {
      const work = planWorkOf(at + 1);
      const [first, second] = [time(start), time(start + 4.5)];
      // In the fifth the first answer does not come.
      if (at === 4)
        asks.push(() =>
          ask(shown, { session: id, name: work, at: first, outcome: outcomeOf(at, true), hash: '5a'.repeat(32) }),
        );
      const when = at === 4 ? second : first;
      asks.push(() =>
        ask(shown, { session: id, name: work, at: when, outcome: outcomeOf(at, false), hash: 'ab'.repeat(32) }),
      );
    }
    start += length;
  }
  const folder = join(shown.gateway.root, 'work/mx1234', id);
  mkdirSync(folder, { recursive: true });
  const request = aRequest({
    title: options.title,
    proposal: 'mx1234',
    submitter: 'ada',
    beamline: 'i04',
    settings: someSettings(options.settings),
  });
  const stop = {
    reason: 'converged',
    detail: 'R-free 0.2301 has reached the target 0.250.',
    afterCycle: count,
  } as const;
  const resume = {
    ...(options.isRunning === true
      ? { status: 'running' as const, cycle: count + 1 }
      : { status: 'completed' as const, cycle: count, stop }),
    stage: 'deciding',
    attempt: 1,
    cycles,
  } satisfies Partial<Session>;
  await shown.store.records.create(
    aNewSession({ id, folder, request, createdAt: new Date(begin).toISOString(), resume }),
    [anEvent({ cycle: 0, message: 'submitted' })],
    3_600_000,
  );
  for (const one of asks) await one();
  return id;
};
