import type { StoredEvent } from '@fleet/contracts';
import type { Authenticity, SessionHistory, WholeSession } from '@fleet/ports';
import { authenticityOfText, signText, type InstallationKey } from './session-signature';

export const eventsFileName = 'events.jsonl';
/** Version of the layout of `events.jsonl`; grows when an older reader could not understand it any more. */
const eventsFileVersion = 1;
/** Bytes of an `events.jsonl` that are read: a hundred thousand events stay below. */
export const largestEventsFile = 64 * 1024 * 1024;

/** The first line; then one for each event, then one for each move. */
interface EventsHeader {
  readonly schemaVersion: number;
  readonly session: string;
  /** Version of the session when it was written. */
  readonly version: number;
  readonly events: number;
  readonly transitions: number;
  readonly signature?: unknown;
}

const signedText = (id: string, version: number | undefined, body: string): string =>
  ['phenix-fleet events.jsonl 1', JSON.stringify([id, version]), body].join('\n');

/** @param keys of this installation; the first one signs, none leaves the file unsigned */
export const eventsFileText = (whole: WholeSession, [key]: readonly InstallationKey[] = []): string => {
  const { session, events, transitions } = whole;
  const { id, version } = session;
  const body = [
    ...events.map((event) => JSON.stringify(event)),
    ...transitions.map((transition) => JSON.stringify({ transition })),
  ].join('\n');
  const header: EventsHeader = {
    schemaVersion: eventsFileVersion,
    session: id,
    version,
    events: events.length,
    transitions: transitions.length,
    ...(key !== undefined && { signature: signText(signedText(id, version, body), key) }),
  };
  return `${JSON.stringify(header)}\n${body}\n`;
};

/** An `events.jsonl` as it reads, checked in everything but whether it is true. */
export interface ReadHistory extends SessionHistory {
  readonly authenticity: Authenticity;
}

/** Undefined: it is none of this session, of a newer layout, or damaged. */
export const parseEventsFile = (
  text: string,
  id: string,
  keys: readonly InstallationKey[] = [],
): ReadHistory | undefined => {
  const end = text.indexOf('\n');
  const header: Partial<EventsHeader> | undefined = parsed(text.slice(0, end));
  if (header?.schemaVersion !== eventsFileVersion || header.session !== id) return undefined;
  const body = text.slice(end + 1, -1);
  const lines = linesOf(body, header);
  return (
    lines && {
      ...lines,
      authenticity: authenticityOfText(() => signedText(id, header.version, body), header.signature, keys),
    }
  );
};

/** Undefined: they are not as many as the header says, or one is no JSON. */
const linesOf = (body: string, { events = 0, transitions = 0 }: Partial<EventsHeader>): SessionHistory | undefined => {
  const lines = body === '' ? [] : body.split('\n').map(parsed);
  if (lines.length !== events + transitions || lines.includes(undefined)) return undefined;
  return {
    events: lines.slice(0, events) as StoredEvent[],
    transitions: lines.slice(events).map((line) => (line as { transition: string }).transition),
  };
};

const parsed = (line: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
