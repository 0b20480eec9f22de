import type { Claimant, Nodes, SharedRun, SiteLimits, SlotClaim, Start, Waiter } from '@fleet/fair-shares';
import {
  type Clock,
  dayOf,
  isoOf,
  type RunCensus,
  type RunSlots,
  type SlotAnswer,
  systemClock,
  type WaitKind,
  type QueueSnapshot,
} from '@fleet/ports';

interface HeldSlot {
  readonly keys: readonly string[];
  readonly from: number;
  readonly nodes: Nodes;
}

/**
 * In-memory slots for tests: same rules (they pass the same contract), without persistence; they make no session due.
 */
export class MemoryRunSlots implements RunSlots {
  private readonly held = new Map<string, HeldSlot>();
  private readonly waits = new Map<string, number>();
  /** Queued runs, by arrival. */
  private readonly queuedOnBackend = new Map<string, number>();
  private readonly stuckRuns = new Set<string>();
  private readonly runs = new Map<string, SharedRun>();
  private readonly days = new Map<string, number>();
  private readonly turns = new Map<string, number>();
  private readonly noRoom = new Set<Nodes>();
  private readonly typical: Partial<Record<Nodes, number>> = {};
  private turn = 0;
  /** Arrival times: a run that is sent back keeps its position. */
  private readonly arrivals = new Map<string, number>();
  private arrived = 0;
  private revision = 0;
  private countedAt = -Infinity;
  private site: SiteLimits | undefined;

  constructor(private readonly clock: Clock = systemClock) {}

  ask(claimant: Claimant, countedWithinMs: number): Promise<SlotAnswer> {
    const { run, claims, quotas, weight } = claimant;
    if (this.held.has(run.name)) return Promise.resolve({ taken: true, before: true });
    if (this.countedAt < this.clock.now() - countedWithinMs) return Promise.resolve({ taken: false, uncounted: true });
    const full = this.fullOf(claims, quotas);
    const others = this.queuedOnBackend.size - (this.queuedOnBackend.has(run.name) ? 1 : 0);
    this.runs.set(run.name, run);
    if (full !== undefined || others > 0) {
      this.queue(run.name);
      return Promise.resolve({ taken: false, ...(full !== undefined && { full }) });
    }
    this.noRoom.clear();
    this.turn = Math.max(this.turn, this.turns.get(run.proposal) ?? 0);
    this.turns.set(run.proposal, this.turn + 1 / weight);
    this.start(run, claims, quotas);
    this.revision += 1;
    return Promise.resolve({ taken: true, before: false });
  }

  line(): Promise<QueueSnapshot> {
    const now = this.clock.now();
    const today = `${dayOf(now)} `;
    const started = [...this.days].flatMap(([field, count]) =>
      field.startsWith(today) ? [[field.slice(today.length), count] as const] : [],
    );
    const waiters = [...this.queuedOnBackend].flatMap(([name, arrival]): readonly Waiter[] => {
      const run = this.runs.get(name);
      return run === undefined ? [] : [{ ...run, since: this.waits.get(name) ?? now, arrival }];
    });
    return Promise.resolve({
      revision: this.revision,
      waiters: waiters.sort((a, b) => a.arrival - b.arrival),
      typicalMs: { ...this.typical },
      ...(this.site !== undefined && { site: this.site }),
      census: {
        now,
        taken: this.counts(),
        started: Object.fromEntries(started),
        turns: Object.fromEntries(this.turns),
        turn: this.turn,
        noRoom: [...this.noRoom].sort(),
      },
    });
  }

  grant(starts: readonly Start[], revision: number): Promise<readonly string[] | undefined> {
    if (revision !== this.revision) return Promise.resolve(undefined);
    const granted: string[] = [];
    for (const { run, claims, quotas, nextTurn, turn } of starts) {
      if (!this.queuedOnBackend.has(run.name) || this.fullOf(claims, quotas) !== undefined) continue;
      this.start(run, claims, quotas);
      this.turns.set(run.proposal, nextTurn);
      this.turn = turn;
      granted.push(run.name);
    }
    this.revision += 1;
    return Promise.resolve(granted);
  }

  running({ run, claims }: Claimant): Promise<void> {
    this.know(run);
    if (!this.held.has(run.name)) this.hold(run, claims);
    this.waits.delete(run.name);
    this.arrivals.delete(run.name);
    this.queuedOnBackend.delete(run.name);
    this.stuckRuns.delete(run.name);
    return Promise.resolve();
  }

  waiting(run: SharedRun, kind: WaitKind): Promise<void> {
    const { name } = run;
    this.know(run);
    this.stuckRuns.delete(name);
    if (kind === 'no_room' || kind === 'held') {
      this.held.delete(name);
      this.queue(name);
      if (kind === 'no_room') this.noRoom.add(run.nodes);
      return Promise.resolve();
    }
    if (!this.waits.has(name)) this.waits.set(name, this.clock.now());
    this.queuedOnBackend.delete(name);
    if (kind === 'stuck') this.stuckRuns.add(name);
    return Promise.resolve();
  }

  release(name: string): Promise<boolean> {
    const held = this.held.get(name);
    if (held !== undefined) {
      const length = this.clock.now() - held.from;
      const before = this.typical[held.nodes] ?? 0;
      this.typical[held.nodes] = Math.floor(before === 0 ? length : 0.9 * before + 0.1 * length);
    }
    for (const members of [this.arrivals, this.held, this.waits, this.queuedOnBackend, this.stuckRuns, this.runs])
      members.delete(name);
    return Promise.resolve(this.queuedOnBackend.size > 0);
  }

  stuck(): Promise<readonly string[]> {
    return Promise.resolve([...this.stuckRuns].sort());
  }

  members(): Promise<readonly string[]> {
    return Promise.resolve([...new Set([...this.held.keys(), ...this.waits.keys()])].sort());
  }

  counted(site: SiteLimits): Promise<void> {
    this.site = site;
    const today = dayOf(this.clock.now());
    for (const field of [...this.days.keys()]) if (!field.startsWith(today)) this.days.delete(field);
    for (const [proposal, turn] of [...this.turns]) if (turn <= this.turn) this.turns.delete(proposal);
    this.countedAt = this.clock.now();
    return Promise.resolve();
  }

  census(): Promise<RunCensus> {
    const since = [...this.waits.values()].sort((a, b) => a - b)[0];
    return Promise.resolve({
      taken: this.counts(),
      waiting: this.waits.size,
      ...(since !== undefined && { oldestWaitingSince: isoOf(since) }),
    });
  }

  private know(run: SharedRun): void {
    if (!this.runs.has(run.name)) this.runs.set(run.name, run);
  }

  private queue(name: string): void {
    if (!this.waits.has(name)) this.waits.set(name, this.clock.now());
    const known = this.arrivals.get(name);
    if (known === undefined) this.arrived += 1;
    this.arrivals.set(name, known ?? this.arrived);
    this.queuedOnBackend.set(name, known ?? this.arrived);
  }

  private start(run: SharedRun, claims: readonly SlotClaim[], quotas: readonly SlotClaim[]): void {
    this.hold(run, claims);
    for (const { key } of quotas) this.days.set(this.today(key), (this.days.get(this.today(key)) ?? 0) + 1);
  }

  private hold({ name, nodes }: SharedRun, claims: readonly SlotClaim[]): void {
    this.held.set(name, { keys: claims.map(({ key }) => key), from: this.clock.now(), nodes });
    this.queuedOnBackend.delete(name);
    this.stuckRuns.delete(name);
  }

  private fullOf(claims: readonly SlotClaim[], quotas: readonly SlotClaim[]): SlotClaim | undefined {
    const counts = this.counts();
    return (
      quotas.find(({ key, limit }) => limit > 0 && (this.days.get(this.today(key)) ?? 0) >= limit) ??
      claims.find(({ key, limit }) => limit > 0 && (counts[key] ?? 0) >= limit)
    );
  }

  private today(key: string): string {
    return `${dayOf(this.clock.now())} ${key}`;
  }

  private counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const key of [...this.held.values()].flatMap(({ keys }) => keys)) counts[key] = (counts[key] ?? 0) + 1;
    return counts;
  }
}
