import type { Replay, ReplayedCycle } from '@fleet/contracts/results';

/** Cycles in which another program would run. */
interface ShadowChange {
  readonly from: string;
  readonly to: string;
  readonly cycles: number;
}

/** The changes caused by one rule. */
export interface ShadowRule {
  readonly rule: string;
  readonly cycles: number;
  readonly changes: readonly ShadowChange[];
  /** Sessions with such a cycle, in replay order. */
  readonly ids: readonly string[];
}

/** Many replayed sessions, grouped by the rule that differs. */
export interface ShadowReport {
  /** SHA-256 of the tested knowledge, hexadecimal. */
  readonly knowledge: string;
  readonly sessions: number;
  /** Number of sessions in which a decision differs. */
  readonly affected: number;
  readonly counts: Replay['counts'];
  /** The rule with the most cycles first. */
  readonly rules: readonly ShadowRule[];
  /** Why decisions are undetermined, the most frequent reason first. */
  readonly undetermined: readonly { readonly reason: string; readonly cycles: number }[];
}

type Found = ReplayedCycle & { readonly id: string };

const byMostCycles = (one: { readonly cycles: number }, other: { readonly cycles: number }): number =>
  other.cycles - one.cycles;

const grouped = (found: readonly Found[], keyOf: (one: Found) => string): readonly (readonly [string, Found[]])[] => {
  const groups = new Map<string, Found[]>();
  for (const one of found) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups];
};

const changesOf = (found: readonly Found[]): readonly ShadowChange[] =>
  grouped(found, ({ recorded, replayed }) => JSON.stringify([recorded.program, replayed?.program ?? '']))
    .map(([key, cycles]) => {
      const [from, to] = JSON.parse(key) as [string, string];
      return { from, to, cycles: cycles.length };
    })
    .toSorted(byMostCycles);

/** Summarises sessions that were all replayed with this knowledge. */
export const groupReplays = (knowledge: string, replays: readonly Replay[]): ShadowReport => {
  const all = replays.flatMap(({ id, cycles }) => cycles.map((one) => ({ ...one, id })));
  const withResult = (result: ReplayedCycle['result']) => all.filter((one) => one.result === result);
  const [differing, unknown] = [withResult('differs'), withResult('undetermined')];
  return {
    knowledge,
    sessions: replays.length,
    affected: new Set(differing.map(({ id }) => id)).size,
    counts: { same: withResult('same').length, differs: differing.length, undetermined: unknown.length },
    rules: grouped(differing, ({ rule = '' }) => rule)
      .map(([rule, found]) => ({
        rule,
        cycles: found.length,
        changes: changesOf(found),
        ids: [...new Set(found.map(({ id }) => id))],
      }))
      .toSorted(byMostCycles),
    undetermined: grouped(unknown, ({ reason = '' }) => reason)
      .map(([reason, found]) => ({ reason, cycles: found.length }))
      .toSorted(byMostCycles),
  };
};
