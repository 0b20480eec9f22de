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

/** What somebody says anew. */
export interface NewGuidance {
  /** Absent: the advice stays as it is; none: nothing is said any more. */
  readonly sources?: readonly AdviceSource[];
  /** Absent: the directives stay as they are; else these take the place of all of them, so that none asks for nothing any more. */
  readonly directives?: SessionDirectives;
}

/** Reads advice; the same text is always read alike. */
export type ReadAdvice = (raw: string) => AdviceReading;

/** ISO 8601. */
type Time = string;

/** Several sources are one text; of two that contradict each other the first counts. */
const rawText = (sources: readonly AdviceSource[]): string => sources.map(({ text }) => text).join('\n\n');

const hashOf = (text: string): string => (text === '' ? '' : createHash('sha256').update(text).digest('hex'));

const isNothing = (directives: SessionDirectives | undefined): boolean => Object.keys(directives ?? {}).length === 0;

/** How many cycles are done once the present one is. */
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

/** The words and the directives as they are from now on. The reading of the same text is kept. */
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

/** The guidance of a submission; undefined where nothing is asked for. */
export const firstGuidance = (said: NewGuidance, read: ReadAdvice, at: Time): Guidance | undefined => {
  if ((said.sources ?? []).length === 0 && isNothing(said.directives)) return undefined;
  const { reader, ...now } = spoken(nothing, said, read);
  return { at, reader, ...now, ...(now.reading.stopsNow && { endsAfter: 1 }) };
};

/** The session as far as guidance follows from it. */
type Advised = Pick<Session, 'request' | 'guidance' | 'createdAt' | 'cycles' | 'status'>;

const lastCycleOf = ({ cycles }: Advised): number => cycles.at(-1)?.cycle ?? 0;

/** When the session ends because "stop" was said, now or before. */
const endOf = (session: Advised, { sources }: NewGuidance, { stopsNow }: AdviceReading): number | undefined => {
  if (sources === undefined) return isEnded(session.status) ? undefined : session.guidance?.endsAfter;
  return stopsNow ? afterThisCycle(session) : undefined;
};

/**
 * The guidance after somebody has said something, with the next revision; undefined where that is nothing new. New words and new
 * directives open a finished workflow again (phenix-agent.md#extending-a-completed-workflow); "stop" alone ends the session after its cycle.
 */
export const nextGuidance = (session: Advised, said: NewGuidance, read: ReadAdvice, at: Time): Guidance | undefined => {
  const before = guidanceOf(session);
  const { reader, ...now } = spoken(before, said, read);
  const endsAfter = endOf(session, said, now.reading);
  const isSaid = now.hash === before.hash && isDeepStrictEqual(now.directives, before.directives);
  if (isSaid && (endsAfter === undefined || endsAfter === before.endsAfter)) return undefined;
  // New words suspend the conditions to stop until a cycle has followed them; the wish to stop is followed at once.
  const when = endsAfter === undefined ? { changedAfter: lastCycleOf(session) } : { endsAfter };
  return { at, reader, ...now, ...when };
};

/** The guidance of a session that goes on although "stop" was said; undefined where it stays as it is. */
export const guidanceGoingOn = (before: Guidance | undefined, at: Time): Guidance | undefined => {
  if (before === undefined) return undefined;
  const { endsAfter, ...rest } = before;
  return endsAfter === undefined ? undefined : { ...rest, revision: before.revision + 1, at };
};
