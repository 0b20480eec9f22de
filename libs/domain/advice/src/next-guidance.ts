import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  emptyReading,
  mergedDirectives,
  type AdviceReading,
  type AdviceSource,
  type Guidance,
  type SessionDirectives,
} from '@fleet/contracts/guidance';
import { analysedCycles, guidanceOf, isEnded, type Session } from '@fleet/contracts/sessions';

/** New advice or directives. */
export interface NewGuidance {
  /** Absent: the advice stays; empty: the advice is removed. */
  readonly sources?: readonly AdviceSource[];
  /** Replaces all directives, so that an empty object removes them; absent: they stay. */
  readonly directives?: SessionDirectives;
}

/** Reads advice; the same text always gives the same reading. */
export type ReadAdvice = (raw: string) => AdviceReading;

/** ISO 8601. */
type Time = string;

/** Joins several sources to one text; the first of two contradicting sources counts. */
const rawText = (sources: readonly AdviceSource[]): string => sources.map(({ text }) => text).join('\n\n');

const hashOf = (text: string): string => (text === '' ? '' : createHash('sha256').update(text).digest('hex'));

const isNothing = (directives: SessionDirectives | undefined): boolean => Object.keys(directives ?? {}).length === 0;

/** Number of finished cycles after the current one. */
const afterThisCycle = (session: Pick<Session, 'cycles'>): number => analysedCycles(session).length + 1;

type SpokenGuidance = Pick<
  Guidance,
  | 'revision'
  | 'sources'
  | 'hash'
  | 'reader'
  | 'reading'
  | 'modelReading'
  | 'overruled'
  | 'directives'
  | 'directivesSince'
>;

const readBefore = ({ reader, reading, modelReading }: SpokenGuidance) => ({
  reader,
  reading,
  ...(modelReading !== undefined && { modelReading }),
});

/** The new advice and directives. The reading of an unchanged text is kept. */
const spoken = (before: SpokenGuidance, { sources, directives }: NewGuidance, byRules: ReadAdvice): SpokenGuidance => {
  const now = sources ?? before.sources;
  const fresh = sources === undefined ? before.reading : byRules(rawText(sources));
  const hash = sources === undefined ? before.hash : hashOf(fresh.text);
  const read = hash === before.hash ? readBefore(before) : { reader: 'rules' as const, reading: fresh };
  const given = directives ?? before.directives ?? {};
  const { overruled } = mergedDirectives(read.reading.directives, given);
  const revision = before.revision + 1;
  const directivesSince = directives === undefined ? (before.directivesSince ?? revision) : revision;
  const structured = isNothing(given) ? {} : { directives: given, directivesSince };
  return { revision, sources: now, hash, ...read, overruled, ...structured };
};

const nothing: SpokenGuidance = {
  revision: 0,
  sources: [],
  hash: '',
  reader: 'rules',
  reading: emptyReading,
  overruled: [],
};

/** The guidance of a submission; undefined without requests. */
export const firstGuidance = (said: NewGuidance, read: ReadAdvice, at: Time): Guidance | undefined => {
  if ((said.sources ?? []).length === 0 && isNothing(said.directives)) return undefined;
  const { reader, ...now } = spoken(nothing, said, read);
  return { at, reader, ...now, ...(now.reading.stopsNow && { endsAfter: 1 }) };
};

/** The part of a session that guidance depends on. */
type Advised = Pick<Session, 'request' | 'guidance' | 'createdAt' | 'cycles' | 'status'>;

const lastCycleOf = ({ cycles }: Advised): number => cycles.at(-1)?.cycle ?? 0;

/** The cycle after which the session ends because of "stop", in new or earlier advice. */
const endOf = (session: Advised, { sources }: NewGuidance, { stopsNow }: AdviceReading): number | undefined => {
  if (sources === undefined) return isEnded(session.status) ? undefined : session.guidance?.endsAfter;
  return stopsNow ? afterThisCycle(session) : undefined;
};

/**
 * The guidance after a change, with the next revision; undefined if nothing changed. New advice and directives reopen a finished workflow
 * (phenix-agent.md#extending-a-completed-workflow); only "stop" ends the session after its cycle.
 */
export const nextGuidance = (session: Advised, said: NewGuidance, read: ReadAdvice, at: Time): Guidance | undefined => {
  const before = guidanceOf(session);
  const { reader, ...now } = spoken(before, said, read);
  const endsAfter = endOf(session, said, now.reading);
  const isUnchanged = now.hash === before.hash && isDeepStrictEqual(now.directives, before.directives);
  if (isUnchanged && (endsAfter === undefined || endsAfter === before.endsAfter)) return undefined;
  // New advice suspends the stop conditions until a cycle has followed it; a request to stop is followed at once.
  const when = endsAfter === undefined ? { changedAfter: lastCycleOf(session) } : { endsAfter };
  return { at, reader, ...now, ...when };
};

/** The guidance of a session that continues despite "stop"; undefined if it is unchanged. */
export const guidanceGoingOn = (before: Guidance | undefined, at: Time): Guidance | undefined => {
  if (before === undefined) return undefined;
  const { endsAfter, ...rest } = before;
  return endsAfter === undefined ? undefined : { ...rest, revision: before.revision + 1, at };
};
