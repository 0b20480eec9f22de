import { setTimeout as sleep } from 'node:timers/promises';
import { nextGuidance } from '@fleet/advice';
import { emptyReading, type AdviceReading } from '@fleet/contracts/guidance';
import { Queues, type QueueName } from '@fleet/contracts/queues';
import { stages, type SessionEvent, type Stage, type StoredEvent } from '@fleet/contracts/sessions';
import { freePort } from '@fleet/testing';
import type { Dice } from '../fuzz/mutations';
import { GatewayGround, preloaded } from './gateway-ground';
import { startIdleProcess } from './idle-process';
import type { IdleWork } from './idle-stages';
import { KeptProcess } from './kept-process';
import { allEnded, movesIn, startLoop, trailOf, type Loop } from './loop-harness';
import { anySeed, killAlong, seeded, someKills, type Victim } from './seeded-kills';

const SESSIONS = 40;
const KILLS = 60;
/** All sessions together have made so many moves when the last kill comes. */
const MOVES = 3_000;
/** Changes of the advice of each session in each stage. */
const CHANGES = 2;
const FIVE_MINUTES = 300_000;
const work: IdleWork = {
  cycles: Infinity,
  minWorkMs: 20,
  maxWorkMs: 150,
  stillRunning: 0.1,
  dueInMs: 1_500,
  advised: true,
};

/** Two workers for each queue, on machines whose clocks are up to ten minutes apart; one machine's is right. */
const machines: readonly (readonly [QueueName, number])[] = [
  [Queues.decisions, FIVE_MINUTES],
  [Queues.decisions, -FIVE_MINUTES],
  [Queues.executions, -FIVE_MINUTES],
  [Queues.executions, 0],
  [Queues.analyses, FIVE_MINUTES],
  [Queues.analyses, -FIVE_MINUTES],
];

const read = (text: string): AdviceReading => ({ ...emptyReading, text, stopsNow: text === 'stop' });

const readEvent = (revision: number, cycle: number, at: string): SessionEvent => ({
  type: 'advice_read',
  cycle,
  at,
  message: 'changed',
  data: { revision },
});

/** Says something new if the session is in that stage; returns whether it has. */
const say = async ({ store }: Loop, id: string, text: string, stage: Stage | undefined): Promise<boolean> => {
  const session = (await store.records.load(id))!;
  // It was done by a try whose answer was lost.
  if (session.guidance?.reading.text === text) return true;
  if (stage !== undefined && session.stage !== stage) return false;
  const at = new Date().toISOString();
  const guidance = nextGuidance(session, { sources: [{ from: 'text', text }] }, read, at)!;
  const { cycle, guidance: before } = session;
  const from = { revision: before?.revision ?? 1, stage: session.stage, cycle };
  const events = [readEvent(guidance.revision, cycle, at)];
  return (await store.records.advise({ sessionId: id, from, guidance, events })) === 'applied';
};

/** Says something in each stage until it is enough, and in the end to stop. Returns how often. */
const advise = async (loop: Loop, id: string, dice: Dice, enough: () => boolean): Promise<number> => {
  let sent = 0;
  const insist = async (text: string, stage?: Stage): Promise<void> => {
    // Redis may be away.
    while (!(await say(loop, id, text, stage).catch(() => false))) await sleep(dice.below(20));
    sent += 1;
  };
  while (sent < CHANGES * stages.length || !enough()) {
    await insist(`${id} ${String(sent)}`, stages[sent % stages.length]);
    await sleep(dice.below(200));
  }
  await insist('stop');
  return sent;
};

/** For each move that follows from guidance: the revision that it has seen, and the one that stood when it was made. */
const seenAndStood = (events: readonly StoredEvent[]): readonly (readonly [unknown, unknown])[] => {
  let stood: unknown = 1;
  const moves: (readonly [unknown, unknown])[] = [];
  for (const { type, data } of events) {
    if (type === 'advice_read') stood = data['revision'];
    else if (data['revision'] !== undefined) moves.push([data['revision'], stood]);
  }
  return moves;
};

/** Every transition once and in order, every advice taken over once and followed by each later decision and by the end. */
const isAsItMustBe = async ({ store }: Loop, id: string, said: number): Promise<void> => {
  const session = (await store.records.load(id))!;
  const events = await store.events.after(id, '0', 100_000);
  const revisions = events.filter(({ type }) => type === 'advice_read').map(({ data }) => data['revision']);
  expect(revisions).toEqual(Array.from({ length: said }, (_, number) => number + 2));
  for (const [seen, stood] of seenAndStood(events)) expect(seen).toBe(stood);
  expect(session.stop).toMatchObject({ reason: 'goal_reached', afterCycle: session.guidance?.endsAfter });
  const trail = trailOf(session.cycle).map((line) => line.replace('nothing_left', 'goal_reached'));
  await expect(store.events.transitions(id)).resolves.toEqual(trail);
};

/** The long form of kills.medium-spec.ts, with advice that changes meanwhile, on machines whose clocks are minutes apart. */
describe('a fleet under kill -9', () => {
  let loop: Loop;
  let ground: GatewayGround;
  let port: number;
  let gateway: KeptProcess;
  let workers: readonly KeptProcess[];
  beforeAll(async () => {
    loop = await startLoop();
    ground = new GatewayGround(loop.at);
    port = await freePort();
    gateway = new KeptProcess(() => ground.gateway(port, preloaded('shifted-clock.mjs', { ms: FIVE_MINUTES })));
    workers = machines.map(
      ([queue, ms]) =>
        new KeptProcess(() =>
          startIdleProcess(queue, work, { ...loop.env, ...preloaded('shifted-clock.mjs', { ms }) }),
        ),
    );
    await Promise.all([gateway, ...workers].map(({ ready }) => ready));
  });
  afterAll(async () => {
    await Promise.all([gateway, ...workers].map((each) => each.stop()));
    await loop.end();
    ground.dispose();
  });

  it(
    'ends every session the same way and follows its advice',
    seeded(anySeed(), async (dice) => {
      const before = Date.now();
      const victims: readonly Victim[] = [
        ...workers.map((worker, index) => ({ name: machines[index]?.[0] ?? '', kill: () => worker.killWhenUp() })),
        { name: 'gateway', kill: () => gateway.killWhenUp() },
        { name: 'Redis', kill: () => loop.server.restart() },
      ];
      let killed = false;
      const killing = killAlong(someKills(dice, victims, KILLS, MOVES), () => movesIn(loop.store)).finally(() => {
        killed = true;
      });
      const ids = await Promise.all(
        Array.from({ length: SESSIONS }, (_, index) => ground.submit([port], `session-${String(index)}`)),
      );
      const [said] = await Promise.all([Promise.all(ids.map((id) => advise(loop, id, dice, () => killed))), killing]);
      await allEnded(loop.store, SESSIONS);
      for (const [index, id] of ids.entries()) await isAsItMustBe(loop, id, said[index] ?? 0);
      // The clocks were shifted indeed: the gateway's stamps lie ahead of this process's.
      const head = await loop.store.records.loadHead(ids[0] ?? '');
      expect(Date.parse(head?.createdAt ?? '')).toBeGreaterThan(before + FIVE_MINUTES - 1);
    }),
  );
});
