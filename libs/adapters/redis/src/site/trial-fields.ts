import type { Finding, Trial, TrialState } from '@fleet/contracts/administration';
import { trialWaitsMs } from '@fleet/ports';

/** Lifetime of an executor's findings, in milliseconds. */
export const lookStaysMs = 3_600_000;

const stateOf = (fields: ReadonlyMap<string, string>, now: number): TrialState => {
  if (fields.has('ended')) return 'done';
  if (Number(fields.get('asked')) + trialWaitsMs <= now) return 'given_up';
  return Number(fields.get('until') ?? 0) > now ? 'running' : 'waiting';
};

const timeOf = (ms: string | undefined): string => new Date(Number(ms)).toISOString();

/** Parses a trial from its stored fields (see `trials.lua.ts`). */
export const trialOf = (fields: ReadonlyMap<string, string>, now: number): Trial | undefined => {
  const [id, executor, ended] = ['id', 'executor', 'ended'].map((name) => fields.get(name));
  if (id === undefined) return undefined;
  return {
    id,
    state: stateOf(fields, now),
    requestedAt: timeOf(fields.get('asked')),
    askedBy: fields.get('by') ?? '',
    findings: JSON.parse(fields.get('findings') ?? '[]') as readonly Finding[],
    ...(executor !== undefined && { executor }),
    ...(ended !== undefined && { endedAt: timeOf(ended) }),
  };
};
