import { sharesPolicySchema, type Priority, type SharesPolicy, type SharesRequest } from '@fleet/contracts/launches';
import { withDefaults } from '@fleet/contracts/schema';
import { claimsOf, type LaunchPolicy } from './claims';
import { Heap } from './heap';
import { nextToLaunch, type Census, type Waiter } from './next-to-launch';

/** Jain's fairness index: 1 if all have the same, 1/n if one has everything. (Jain, Chiu, Hawe 1984.) */
const evennessOf = (amounts: readonly number[]): number => {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const squares = amounts.reduce((total, amount) => total + amount * amount, 0);
  return (sum * sum) / (amounts.length * squares);
};

/** Reproducible random numbers from 0 to 1 (mulberry32). */
const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const minute = 60_000;
const bySubmission = (a: Session, b: Session): number =>
  a.submittedAt - b.submittedAt || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

interface Campaign {
  readonly proposal: string;
  readonly sessions: number;
  readonly priority?: Priority;
  /** Submission time. */
  readonly at?: number;
}

interface Session extends Waiter {
  /** Number of programs still to run. */
  readonly left: number;
}

interface Run {
  readonly session: Session;
  readonly endsAt: number;
}

interface Outcome {
  /** By proposal: time from submission to the end of its last session. */
  readonly took: Readonly<Record<string, number>>;
  /** By proposal: total slot time of its programs, until the first campaign was finished. */
  readonly used: Readonly<Record<string, number>>;
  readonly firstStart: Readonly<Record<string, number>>;
  readonly mostRunning: number;
  /** Number of programs that ended between the submission of the first live session and its start. */
  readonly endsBeforeLive: number;
}

/** A facility with a simulated clock: slots, programs of 1 to 20 minutes, sessions of several programs. */
class Simulation {
  private now = 0;
  private readonly random: () => number;
  private readonly running = new Heap<Run>((a, b) => a.endsAt - b.endsAt || (a.session.name < b.session.name ? -1 : 1));
  private readonly arrivals: readonly Session[];
  private arrived = 0;
  /** By proposal, in the order of submission. */
  private readonly waiting = new Map<string, Heap<Session>>();
  private readonly left = new Map<string, number>();
  private readonly taken = new Map<string, number>();
  private turns: Record<string, number> = {};
  private turn = 0;
  private count = 0;
  private mostRunning = 0;
  private contested = true;
  private liveSince: number | undefined;
  private endsBeforeLive = 0;
  private readonly took: Record<string, number> = {};
  private readonly used: Record<string, number> = {};
  private readonly firstStart: Record<string, number> = {};

  constructor(
    campaigns: readonly Campaign[],
    private readonly policy: LaunchPolicy,
    programs: number,
    seed: number,
  ) {
    this.random = seeded(seed);
    this.arrivals = campaigns
      .flatMap(({ proposal, sessions, priority = 'standard', at = 0 }) =>
        Array.from({ length: sessions }, (_, index) => ({
          name: `${proposal}-${String(index).padStart(5, '0')}`,
          proposal,
          user: '',
          priority,
          nodes: 'cpu' as const,
          submittedAt: at,
          since: at,
          arrival: index,
          left: programs,
        })),
      )
      .sort((a, b) => a.submittedAt - b.submittedAt);
    for (const { proposal, sessions } of campaigns) this.left.set(proposal, sessions);
  }

  run(): Outcome {
    for (;;) {
      const arrival = this.arrivals[this.arrived]?.submittedAt ?? Infinity;
      const end = this.running.peek()?.endsAt ?? Infinity;
      this.now = Math.min(arrival, end);
      if (this.now === Infinity) break;
      if (arrival <= end) this.arrive();
      else this.end(this.running.pop()!);
      this.launch();
    }
    const { took, used, firstStart, mostRunning, endsBeforeLive } = this;
    return { took, used, firstStart, mostRunning, endsBeforeLive };
  }

  private arrive(): void {
    for (; this.arrivals[this.arrived]?.submittedAt === this.now; this.arrived += 1) {
      const session = this.arrivals[this.arrived]!;
      this.wait(session);
      if (session.priority === 'live') this.liveSince ??= this.now;
    }
  }

  private wait(session: Session): void {
    const { proposal } = session;
    const line = this.waiting.get(proposal) ?? new Heap<Session>(bySubmission);
    line.push(session);
    this.waiting.set(proposal, line);
  }

  /** For each proposal as many sessions as there are slots: no more of it can start, and those that were submitted first come first. */
  private candidates(): readonly Session[] {
    return [...this.waiting.values()].flatMap((line) => {
      const some: Session[] = [];
      for (
        let one = line.pop();
        one !== undefined;
        one = some.length < this.policy.site.maxRunning ? line.pop() : undefined
      )
        some.push(one);
      return some;
    });
  }

  private end({ session }: Run): void {
    this.count -= 1;
    if (this.liveSince !== undefined) this.endsBeforeLive += 1;
    for (const { key } of claimsOf(session, this.policy)) this.taken.set(key, this.taken.get(key)! - 1);
    const left = session.left - 1;
    if (left > 0) this.wait({ ...session, left, since: this.now });
    else this.ended(session);
  }

  private ended({ proposal, submittedAt }: Session): void {
    const left = this.left.get(proposal)! - 1;
    this.left.set(proposal, left);
    if (left > 0) return;
    this.took[proposal] = this.now - submittedAt;
    this.contested = false;
  }

  private launch(): void {
    if (this.policy.site.maxRunning > 0 && this.count >= this.policy.site.maxRunning) return;
    const census: Census = {
      now: this.now,
      taken: Object.fromEntries(this.taken),
      started: {},
      turns: this.turns,
      turn: this.turn,
      noRoom: [],
    };
    const near = new Map(this.candidates().map((session) => [session.name, session]));
    for (const { run, claims, nextTurn, turn } of nextToLaunch(census, [...near.values()], this.policy).start) {
      const session = near.get(run.name)!;
      near.delete(run.name);
      for (const { key } of claims) this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
      this.turns = { ...this.turns, [run.proposal]: nextTurn };
      this.turn = turn;
      this.begin(session);
    }
    for (const session of near.values()) this.wait(session);
  }

  private begin(session: Session): void {
    const { proposal } = session;
    const length = (1 + 19 * this.random()) * minute;
    this.running.push({ session, endsAt: this.now + length });
    this.firstStart[proposal] ??= this.now - session.submittedAt;
    if (this.contested) this.used[proposal] = (this.used[proposal] ?? 0) + length;
    if (session.priority === 'live') this.liveSince = undefined;
    this.count += 1;
    this.mostRunning = Math.max(this.mostRunning, this.count);
  }
}

const policyOf = (slots: number, shares: SharesRequest = {}): LaunchPolicy => ({
  site: { maxRunning: slots, maxRunningPerProposal: 0, classes: { cpu: 0, gpu: 0 } },
  shares: withDefaults(sharesPolicySchema, shares) as SharesPolicy,
});

const slots = 12;
const simulated = (campaigns: readonly Campaign[], shares: SharesRequest = {}, programs = 1, seed = 16): Outcome =>
  new Simulation(campaigns, policyOf(slots, shares), programs, seed).run();

const uneven: readonly Campaign[] = [
  { proposal: 'mx5000', sessions: 5000 },
  { proposal: 'mx300', sessions: 300, at: 30 * minute },
  { proposal: 'mx30', sessions: 30, at: 30 * minute },
  { proposal: 'mx3', sessions: 3, at: 30 * minute },
];

describe('proposals of 5,000, 300, 30 and 3 sessions on 12 slots', () => {
  it.each([1, 2, 3])('let the smallest wait at most twice as long as alone, seed %d', (seed) => {
    const together = simulated(uneven, {}, 3, seed);
    const alone = simulated([uneven[3]!], {}, 3, seed);
    expect(together.mostRunning).toBe(slots);
    expect(together.took.mx3! / alone.took.mx3!).toBeLessThanOrEqual(2);
  });

  it('end in the order of their size, and the largest no later than if it came first', () => {
    const { took } = simulated(uneven, {}, 1);
    expect(Object.keys(took)).toEqual(['mx3', 'mx30', 'mx300', 'mx5000']);
    const sessions = uneven.reduce((total, campaign) => total + campaign.sessions, 0);
    // All slots are in use until the end: sharing makes no campaign's work longer.
    expect(took.mx5000! / ((sessions * 10.5 * minute) / slots)).toBeCloseTo(1, 1);
  });
});

describe('ten proposals of 1,000 sessions on 12 slots', () => {
  it('get equal slot time', () => {
    const equal = Array.from({ length: 10 }, (_, index) => ({ proposal: `mx${String(index)}`, sessions: 1000 }));
    const { used, mostRunning } = simulated(equal);
    expect(mostRunning).toBe(slots);
    expect(evennessOf(Object.values(used))).toBeGreaterThanOrEqual(0.95);
  });

  it('get equal slot time if there are fewer slots than proposals', () => {
    const equal = Array.from({ length: 10 }, (_, index) => ({ proposal: `mx${String(index)}`, sessions: 100 }));
    const { used } = new Simulation(equal, policyOf(3), 1, 16).run();
    expect(evennessOf(Object.values(used))).toBeGreaterThanOrEqual(0.95);
  });

  it.each([
    [12, 0.05],
    [1, 0.1],
  ])('get slot time by weight: on %d slots', (many, tolerance) => {
    const campaigns = [
      { proposal: 'mx1', sessions: 300 },
      { proposal: 'mx3', sessions: 900 },
    ];
    const { used } = new Simulation(campaigns, policyOf(many, { proposals: { mx3: { weight: 3 } } }), 1, 16).run();
    expect(Math.abs(used.mx3! / used.mx1! / 3 - 1)).toBeLessThanOrEqual(tolerance);
  });
});

describe('live beamtime', () => {
  it.each([1, 2, 3])('starts at the next end of a program, whatever waits, seed %d', (seed) => {
    const live: Campaign = { proposal: 'visit', sessions: 1, priority: 'live', at: 61 * minute };
    const { endsBeforeLive, took } = simulated([...uneven, live], {}, 2, seed);
    // The test's own session may end too.
    expect(endsBeforeLive).toBeLessThanOrEqual(1);
    expect(took.visit! / minute).toBeLessThanOrEqual(2 * 20 + 2 * 5);
  });
});

describe('backfill', () => {
  it('waits for all others, but not forever', () => {
    const campaigns: readonly Campaign[] = [
      { proposal: 'mx5000', sessions: 2000 },
      { proposal: 'fill', sessions: 3, priority: 'backfill' },
    ];
    const hours = (outcome: Outcome): number => outcome.firstStart.fill! / (60 * minute);
    expect(hours(simulated(campaigns, { backfillWaitsHours: 8760 }))).toBeGreaterThan(24);
    expect(hours(simulated(campaigns, { backfillWaitsHours: 2 }))).toBeCloseTo(2, 0);
  });
});
