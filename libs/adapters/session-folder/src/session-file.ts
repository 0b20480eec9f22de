import { Fault, type FieldProblem } from '@fleet/contracts/faults';
import { mistakesIn, withDefaults } from '@fleet/contracts/schema';
import { sessionSchema, type Session } from '@fleet/contracts/sessions';
import type { Authenticity } from '@fleet/ports';
import { isRecord } from '@fleet/problems';
import { jsonProblem, type JsonBounds } from './bounded-json';
import { problemsOfRecord } from './check-record';
import { authenticityOf, digestOf, sign, type InstallationKey } from './session-signature';

export const sessionFileName = 'session.json';
/** Version of the layout of `session.json`; increased when an older reader could no longer read it. */
const sessionFileVersion = 1;
/** Maximum bytes read of a `session.json`: a hundred cycles with five hundred outputs each need far less. */
export const largestSessionFile = 32 * 1024 * 1024;
const bounds: JsonBounds = { deepest: 32, maxValues: 1_000_000 };

/** @param keys of this installation; the first one signs; without any the file is unsigned */
export const sessionFileText = (session: Session, [key]: readonly InstallationKey[] = []): string => {
  // As it will be read: without undefined members.
  const record = JSON.parse(JSON.stringify(session)) as object;
  const signature = key === undefined ? {} : { signature: sign(record, key) };
  return `${JSON.stringify({ schemaVersion: sessionFileVersion, ...signature, session: record }, undefined, 1)}\n`;
};

/** Maximum reported problems. */
const maxProblems = 20;

export interface ParsedSession {
  readonly session: Session;
  readonly authenticity: Authenticity;
  readonly digest: string;
}

/**
 * @param path for the messages
 * @throws Fault `session_file.damaged` with every invalid field, or `session_file.newer`
 */
export const parseSessionFile = (text: string, path: string, keys: readonly InstallationKey[] = []): ParsedSession => {
  const problem = jsonProblem(text, bounds);
  if (problem !== undefined) throw new Fault('session_file.damaged', 'caller', `${path} ${problem}`);
  const content = readLayout(text, path);
  const written: unknown = Reflect.get(content, 'session');
  const session = readRecord(written, path);
  const signature: unknown = Reflect.get(content, 'signature');
  // The signature covers the written form, before defaults are filled in.
  const signed = written as object;
  return { session, authenticity: authenticityOf(signed, signature, keys), digest: digestOf(signed) };
};

/** Checks that the layout is known to this release. */
const readLayout = (text: string, path: string): object => {
  const content = readObject(text, path);
  const version: unknown = Reflect.get(content, 'schemaVersion');
  if (typeof version === 'number' && Number.isSafeInteger(version) && version > sessionFileVersion) {
    throw new Fault(
      'session_file.newer',
      'conflict',
      `${path} was written by a newer release (layout ${String(version)}, this one reads ${String(sessionFileVersion)}). It is not damaged: recover it with that release.`,
    );
  }
  if (version !== sessionFileVersion) {
    throw damaged(path, [{ field: 'schemaVersion', reason: 'is not a known layout', allowed: '1' }]);
  }
  return content;
};

const readObject = (text: string, path: string): object => {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Fault('session_file.damaged', 'caller', `${path} is not JSON`, { cause });
  }
  if (typeof content === 'object' && content !== null) return content;
  throw new Fault('session_file.damaged', 'caller', `${path} contains no object`);
};

/** Members that had other names before the first release, by the path of their object. */
const earlierNames = [
  { path: ['waiting'], names: { because: 'reason', inLine: 'queuedOnBackend', toldAt: 'reportedAt' } },
  { path: ['request', 'forkedFrom'], names: { asked: 'requestDigest' } },
  { path: ['guidance', 'reading'], names: { asked: 'requestedPrograms' } },
] as const;

/** The record with the members of the object at this path by today's names; the rest is what it was. */
const renamedAt = (
  written: unknown,
  [part, ...rest]: readonly string[],
  names: ReadonlyMap<string, string>,
): unknown => {
  if (!isRecord(written)) return written;
  if (part === undefined)
    return Object.fromEntries(Object.entries(written).map(([name, member]) => [names.get(name) ?? name, member]));
  return Object.hasOwn(written, part) ? { ...written, [part]: renamedAt(written[part], rest, names) } : written;
};

/** A record, or a cycle of one, by today's names. */
const renamed = (written: unknown): unknown =>
  earlierNames.reduce<unknown>(
    (record, { path, names }) => renamedAt(record, path, new Map(Object.entries(names))),
    written,
  );

/** The same for a record with its cycles. */
const renamedWhole = (written: unknown): unknown => {
  const record = renamed(written);
  return isRecord(record) && Array.isArray(record['cycles'])
    ? { ...record, cycles: record['cycles'].map(renamed) }
    : record;
};

/** The record with defaults for missing members; unknown members are kept. */
const readRecord = (written: unknown, path: string): Session => {
  const filled = withDefaults(sessionSchema, renamedWhole(written));
  const mistakes = mistakesIn(sessionSchema, filled, { at: 'session', most: maxProblems });
  if (mistakes.length > 0)
    throw damaged(
      path,
      mistakes.map(({ field, reason, allowed }) => ({ field, reason, allowed })),
    );
  const session = filled as Session;
  const problems = problemsOfRecord(session);
  if (problems.length > 0) throw damaged(path, problems.slice(0, maxProblems));
  return session;
};

const damaged = (path: string, problems: readonly FieldProblem[]): Fault => {
  const list = problems.map(({ field, reason }) => `${field} ${reason}`).join('; ');
  return new Fault('session_file.damaged', 'caller', `${path} is damaged: ${list}`, { problems });
};
