// @needs linux
import { setTimeout as sleep } from 'node:timers/promises';
import type { IdleWork } from '../loop/idle-stages';
import { eventually, trailOf } from '../loop/loop-harness';
import { deliver, figure, quantile, type Figure } from './figures';
import { SoakFleet, type Memory } from './soak-fleet';

const SESSIONS = Number(process.env['FLEET_TEST_SOAK_SESSIONS'] ?? '20000');
/** Sessions submitted each second: what the machine carries with room, so that latencies tell of drift and not of a backlog. */
const RATE = Number(process.env['FLEET_TEST_SOAK_RATE'] ?? '30');
const work: IdleWork = { cycles: 8, minWorkMs: 2, maxWorkMs: 10, stillRunning: 0.002, dueInMs: 5_000 };
/** Sessions before those that count: processes are warm then, and streams that keep their last entries are full. */
const WARM_UP = 600;
const KILL_EVERY = 100;
const SCALE_EVERY = 300;
/** When Redis is killed and comes back empty, in parts of all sessions; not in the tenths whose latencies are compared. */
const REDIS_KILLS = [0.35, 0.55, 0.75] as const;
/** When PostgreSQL is, and recovers. */
const DATABASE_KILLS = [0.25, 0.65] as const;
/** Sessions that are under way at once where the machine cannot carry the rate. */
const TOO_MANY = 5_000;
const TENTHS = 10;
/** Of a session whose steps do nothing: its row, its moves with an event each, and the indexes. */
const BYTES_OF_SESSION = 20_000;

let fleet: SoakFleet;
let stop: (() => Promise<void>) | undefined;
beforeAll(async () => {
  fleet = await SoakFleet.start(work);
  stop = () => fleet.dispose();
}, 600_000);
afterAll(() => stop?.());

interface Submitted {
  readonly id: string;
  /** Milliseconds until the client had its answer. */
  readonly answeredMs: number;
}

const submitOne = async (index: number): Promise<Submitted> => {
  const begun = performance.now();
  const [one = 0, other = 0] = fleet.ports;
  const id = await fleet.ground.submit(index % 2 === 0 ? [one, other] : [other, one], `soak-${String(index)}`);
  return { id, answeredMs: performance.now() - begun };
};

/** Submits at a steady rate, whatever happens to it; `between` is called before each. */
const submitAll = async (
  from: number,
  count: number,
  between: (index: number) => void,
): Promise<readonly Submitted[]> => {
  const begun = performance.now();
  const all: Promise<Submitted>[] = [];
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, begun + (index * 1000) / RATE - performance.now()));
    between(index);
    all.push(submitOne(from + index));
  }
  return Promise.all(all);
};

const isDue = (parts: readonly number[], index: number): boolean =>
  parts.some((part) => Math.floor(part * SESSIONS) === index);

/** What dies and what comes and goes while sessions are submitted; an error of it is thrown at the end. */
class Trouble {
  readonly done = { kills: 0, scaled: 0, redisKills: 0, databaseKills: 0 };
  private under: Promise<unknown> = Promise.resolve();

  at(index: number): void {
    if (index % KILL_EVERY === KILL_EVERY / 2) this.next(() => fleet.kill(this.done.kills++));
    if (index % SCALE_EVERY === SCALE_EVERY / 2) this.next(() => fleet.scale(this.done.scaled++));
    const { postgres, redis } = fleet.servers;
    if (isDue(REDIS_KILLS, index)) {
      this.done.redisKills += 1;
      this.next(() => redis.restart());
    }
    if (isDue(DATABASE_KILLS, index)) {
      this.done.databaseKills += 1;
      this.next(() => postgres.crash());
    }
  }

  over(): Promise<unknown> {
    return this.under;
  }

  private next(act: () => Promise<unknown>): void {
    this.under = this.under.then(act);
    // It is thrown by `over`.
    this.under.catch(() => undefined);
  }
}

interface Sample {
  readonly memory: ReadonlyMap<string, Memory>;
  /** In the database, all of them and those that have ended. */
  readonly sessions: number;
  readonly ended: number;
  /** Of the database. */
  readonly bytes: number;
}

const sample = async (): Promise<Sample> => {
  const stored = await fleet.stored();
  if (stored.sessions - stored.ended >= TOO_MANY)
    throw new Error(`the machine does not carry ${String(RATE)} sessions a second`);
  return { memory: await fleet.memory(), ...stored };
};

const settled = async (count: number): Promise<Sample> => {
  await eventually(
    () => fleet.stored(),
    ({ ended }) => ended >= count,
    1_800_000,
  );
  return sample();
};

interface SessionMeasurement {
  readonly answeredMs: number;
  /** From its submission to its end. */
  readonly tookMs: number;
  readonly whole: boolean;
}

/** Each session as the store tells of it, in the order of the submissions. */
const lookAt = async (submitted: readonly Submitted[]): Promise<readonly SessionMeasurement[]> => {
  const { records, events } = fleet.store;
  const wanted = trailOf(work.cycles).join('\n');
  const seen: SessionMeasurement[] = [];
  for (const { id, answeredMs } of submitted) {
    const head = await records.loadHead(id);
    const whole = (await events.transitions(id)).join('\n') === wanted;
    seen.push({ answeredMs, whole, tookMs: Date.parse(head?.updatedAt ?? '') - Date.parse(head?.createdAt ?? '') });
  }
  return seen;
};

/** Last tenth over first. */
const drift = (values: readonly number[], part: number): number => {
  const size = Math.floor(values.length / TENTHS);
  return quantile(values.slice(-size), part) / quantile(values.slice(0, size), part);
};

interface Samples {
  /** At rest: all sessions have ended. */
  readonly before: Sample;
  readonly after: Sample;
  /** After each tenth of the sessions. */
  readonly tenths: readonly Sample[];
}

const ratio = (last: Sample | undefined, first: Sample | undefined, of: (one: Sample) => number): number =>
  first === undefined || last === undefined ? Number.NaN : of(last) / of(first);

const memoryFigures = ({ before, after, tenths }: Samples): readonly Figure[] => {
  const bytesOfSession = (after.bytes - before.bytes) / (after.ended - before.ended);
  const ofRedis = ({ memory }: Sample): number => memory.get('Redis')?.live ?? Number.NaN;
  const ofProcesses = [...before.memory.keys()]
    .filter((kind) => kind !== 'Redis')
    .flatMap((kind) => {
      const of = (what: keyof Memory) => (one: Sample) => one.memory.get(kind)?.[what] ?? Number.NaN;
      const resident = ratio(tenths.at(-1), tenths[0], of('resident'));
      return [
        figure(
          `live memory of the ${kind} process that lasts, at rest, end over start`,
          ratio(after, before, of('live')),
          '<=',
          1.1,
        ),
        figure(`its resident memory, last tenth over first`, resident, '<=', 1.1),
      ];
    });
  return [
    ...ofProcesses,
    figure('bytes of the database for each ended session of 8 cycles', bytesOfSession, '<=', BYTES_OF_SESSION),
    figure('memory of Redis, last tenth over first', ratio(tenths.at(-1), tenths[0], ofRedis), '<=', 1.1),
  ];
};

/** One line for those who want to know where a drift began. */
const reportOf = ({ memory, sessions, ended, bytes }: Sample): string => {
  const mebibytes = [...memory].map(
    ([kind, { live, resident }]) => `${kind} ${live.toFixed(1)}/${resident.toFixed(0)}`,
  );
  const under = `${String(ended)} ended, ${String(sessions - ended)} under way`;
  return `${under}, database ${(bytes / 2 ** 20).toFixed(1)} MiB, MiB live/resident: ${mebibytes.join(', ')}\n`;
};

describe('a day in minutes', () => {
  it('loses nothing, and does not grow or slow down', async () => {
    await submitAll(0, WARM_UP, () => undefined);
    const before = await settled(WARM_UP);
    const trouble = new Trouble();
    const sampling: Promise<Sample>[] = [];
    const tenth = Math.floor(SESSIONS / TENTHS);
    const submitted = await submitAll(WARM_UP, SESSIONS, (index) => {
      trouble.at(index);
      if (index % tenth === tenth - 1) sampling.push(sample());
    });
    const tenths = await Promise.all(sampling);
    await trouble.over();
    const after = await settled(WARM_UP + SESSIONS);
    const seen = await lookAt(submitted);
    for (const one of [before, ...tenths, after]) process.stderr.write(reportOf(one));
    const took = seen.map(({ tookMs }) => tookMs);
    const answered = seen.map(({ answeredMs }) => answeredMs);
    deliver([
      figure(
        `of ${String(SESSIONS)} sessions, those with every transition once and in order`,
        seen.filter(({ whole }) => whole).length,
        '>=',
        SESSIONS,
      ),
      figure('gateways and workers killed', trouble.done.kills, '>=', Math.floor(SESSIONS / KILL_EVERY)),
      figure('changes of scale', trouble.done.scaled, '>=', Math.floor(SESSIONS / SCALE_EVERY)),
      figure('Redis killed', trouble.done.redisKills, '>=', REDIS_KILLS.length),
      figure('PostgreSQL killed', trouble.done.databaseKills, '>=', DATABASE_KILLS.length),
      figure('sessions beyond those that were asked for', after.sessions - WARM_UP - SESSIONS, '<=', 0),
      ...memoryFigures({ before, after, tenths }),
      figure('session from submission to end, median: last tenth over first', drift(took, 0.5), '<=', 1.2),
      figure('the same, p95', drift(took, 0.95), '<=', 1.2),
      figure('answer to a submission, median: last tenth over first', drift(answered, 0.5), '<=', 1.2),
      figure(
        'session from submission to end, median of the first tenth (ms)',
        quantile(took.slice(0, tenth), 0.5),
        '<=',
        60_000,
      ),
    ]);
  }, 7_200_000);
});
