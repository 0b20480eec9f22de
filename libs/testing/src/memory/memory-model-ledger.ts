import type { AskedModel, ModelOutcome, ModelRequestEntry } from '@fleet/contracts';
import type { ModelBudgets, ModelLedger, ModelSpending, ModelWork, Reservation, ReservedRequest } from '@fleet/ports';

const nothing: ModelSpending = { requests: 0, tokens: 0, cost: 0 };

/** What several workers share. */
export class MemoryLedgerState {
  readonly holders = new Map<string, MemoryModelLedger>();
  /** Who took each work last, until it lets go. */
  readonly takers = new Map<string, MemoryModelLedger>();
  readonly entries = new Map<string, ModelRequestEntry[]>();
  readonly spent = new Map<string, ModelSpending>();
}

/** The ledger in memory, for tests: a worker that has died is told of by `fallSilent`. */
export class MemoryModelLedger implements ModelLedger {
  constructor(private readonly state = new MemoryLedgerState()) {}

  hold(work: ModelWork): Promise<boolean> {
    if ((this.state.holders.get(nameOf(work)) ?? this) !== this) return Promise.resolve(false);
    this.keep(work);
    const entries = this.of(work.session);
    entries.forEach((entry, index) => {
      if (entry.work === work.name && entry.came === undefined) entries[index] = { ...entry, came: 'lost', cost: null };
    });
    return Promise.resolve(true);
  }

  renew(work: ModelWork): Promise<boolean> {
    const holds = this.holds(work);
    if (holds) this.keep(work);
    return Promise.resolve(holds);
  }

  release(work: ModelWork): Promise<void> {
    if (this.holds(work)) for (const map of [this.state.holders, this.state.takers]) map.delete(nameOf(work));
    return Promise.resolve();
  }

  /** This worker is not heard of any more. */
  fallSilent(): void {
    for (const [name, holder] of this.state.holders) if (holder === this) this.state.holders.delete(name);
  }

  reserve(work: ModelWork, asked: AskedModel, most: ModelSpending, budgets: ModelBudgets): Promise<Reservation> {
    if (!this.holds(work)) return Promise.resolve({ refused: 'not_held' });
    const whose = (['session', 'proposal', 'day'] as const).find((one) =>
      exceeds(this.spentBy(placeOf(work, one)), most, budgets[one] ?? {}),
    );
    if (whose !== undefined) return Promise.resolve({ refused: { budget: whose } });
    this.spend(work, most, 1);
    const entries = this.of(work.session);
    entries.push({ number: entries.length + 1, work: work.name, ...asked });
    return Promise.resolve({ number: entries.length, day: 0 });
  }

  settle(work: ModelWork, { number }: ReservedRequest, outcome: ModelOutcome, less: ModelSpending): Promise<void> {
    this.spend(work, less, -1);
    const entries = this.of(work.session);
    const entry = entries[number - 1];
    if (entry !== undefined) entries[number - 1] = { ...entry, ...outcome };
    return Promise.resolve();
  }

  entries(session: string): Promise<readonly ModelRequestEntry[]> {
    return Promise.resolve([...this.of(session)]);
  }

  private holds(work: ModelWork): boolean {
    const name = nameOf(work);
    return (this.state.holders.get(name) ?? this.state.takers.get(name)) === this;
  }

  private keep(work: ModelWork): void {
    for (const map of [this.state.holders, this.state.takers]) map.set(nameOf(work), this);
  }

  private of(session: string): ModelRequestEntry[] {
    const entries = this.state.entries.get(session) ?? [];
    this.state.entries.set(session, entries);
    return entries;
  }

  private spentBy(place: string): ModelSpending {
    return this.state.spent.get(place) ?? nothing;
  }

  private spend(work: ModelWork, { requests, tokens, cost }: ModelSpending, sign: 1 | -1): void {
    for (const whose of ['session', 'proposal', 'day'] as const) {
      const place = placeOf(work, whose);
      const was = this.spentBy(place);
      this.state.spent.set(place, {
        requests: was.requests + sign * requests,
        tokens: was.tokens + sign * tokens,
        cost: was.cost + sign * cost,
      });
    }
  }
}

const nameOf = ({ session, name }: ModelWork): string => `${session} ${name}`;

const placeOf = (work: ModelWork, whose: keyof ModelBudgets): string =>
  whose === 'day' ? whose : `${whose} ${work[whose]}`;

const exceeds = (was: ModelSpending, most: ModelSpending, limits: Partial<ModelSpending>): boolean =>
  (['requests', 'tokens', 'cost'] as const).some((what) => was[what] + most[what] > (limits[what] ?? Infinity));
