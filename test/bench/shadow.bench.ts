import type { Session } from '@fleet/contracts/sessions';
import { buildDecisionGraph, replayer, type Replayer } from '@fleet/decision-graph';
import { cpuMilliseconds, projectRules } from '@fleet/testing';
import { endedSessions, everything } from './decided-sessions';
import { deliver, figure, median } from './figures';

/** Measured rounds, and rounds before them until the compiler has warmed up. */
const ROUNDS = 10;
const WARM_UP = 4;
/** Cycles in one round, at least. */
const CYCLES = 500;

let replay: Replayer;
let sessions: readonly Session[];

beforeAll(async () => {
  const ruleBook = projectRules();
  replay = replayer(ruleBook);
  // As they come from the gateway.
  const walked = await endedSessions(buildDecisionGraph({ ruleBook }), ruleBook);
  sessions = walked.map((session) => JSON.parse(JSON.stringify(session)) as Session);
});

/** Cycles per second of CPU in one round; the ends of sessions, which are judged as well, do not count. */
const round = async (): Promise<number> => {
  const start = cpuMilliseconds();
  let cycles = 0;
  while (cycles < CYCLES)
    for (const session of sessions) {
      const replayed = await replay(session, everything);
      expect(replayed.counts).toMatchObject({ differs: 0, undetermined: 0 });
      cycles += session.cycles.length;
    }
  return (cycles / (cpuMilliseconds() - start)) * 1000;
};

describe('shadow evaluation', () => {
  it('judges at least 500 cycles a second', async () => {
    const rates: number[] = [];
    for (let index = -WARM_UP; index < ROUNDS; index += 1) {
      const rate = await round();
      if (index >= 0) rates.push(rate);
    }
    deliver([figure('shadow evaluation in one thread (cycles per second of CPU)', median(rates), '>=', 500)]);
  });
});
