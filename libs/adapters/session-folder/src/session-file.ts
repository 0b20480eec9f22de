import { Fault, type FieldProblem, type Session } from '@fleet/contracts';
import type { Authenticity } from '@fleet/ports';
import { Ajv, type ErrorObject } from 'ajv';
import { jsonProblem, type JsonBounds } from './bounded-json';
import { problemsOfRecord } from './check-record';
import { sessionSchema } from './session-schema';
import { authenticityOf, digestOf, sign, type InstallationKey } from './session-signature';

/** Version of the layout of `session.json`; grows when an older reader could not understand it any more. */
const sessionFileVersion = 1;
/** Bytes of a `session.json` that are read: a hundred cycles with five hundred outputs each stay far below. */
export const largestSessionFile = 32 * 1024 * 1024;
const bounds: JsonBounds = { deepest: 32, mostValues: 1_000_000 };

/** @param keys of this installation; the first one signs, none leaves the file unsigned */
export const sessionFileText = (session: Session, [key]: readonly InstallationKey[] = []): string => {
  // As it will be read: without members that are undefined.
  const record = JSON.parse(JSON.stringify(session)) as object;
  const signature = key === undefined ? {} : { signature: sign(record, key) };
  return `${JSON.stringify({ schemaVersion: sessionFileVersion, ...signature, session: record }, undefined, 1)}\n`;
};

const ajv = { allowUnionTypes: true, strictNumbers: true } as const;
const isSession = new Ajv({ ...ajv, allErrors: true }).compile<Session>(sessionSchema);
/** In a large file the first error is enough: a million of them would only take room. */
const isLargeSession = new Ajv(ajv).compile<Session>(sessionSchema);
const largeText = 1024 * 1024;
/** More problems than this tell nothing new. */
const mostProblems = 20;

export interface ParsedSession {
  readonly session: Session;
  readonly authenticity: Authenticity;
  readonly digest: string;
}

/**
 * @param path for the messages
 * @throws Fault `session_file.damaged` with every field that is wrong, or `session_file.newer`
 */
export const parseSessionFile = (text: string, path: string, keys: readonly InstallationKey[] = []): ParsedSession => {
  const content = readObject(text, path);
  const version = Reflect.get(content, 'schemaVersion') as unknown;
  if (typeof version === 'number' && Number.isSafeInteger(version) && version > sessionFileVersion) {
    throw new Fault(
      'session_file.newer',
      'conflict',
      `${path} was written by a newer release (layout ${String(version)}, this one reads ${String(sessionFileVersion)}). It is not damaged: recover it with that release.`,
    );
  }
  if (version !== sessionFileVersion) {
    throw damaged(path, [{ field: 'schemaVersion', reason: 'is not a layout that is known', allowed: '1' }]);
  }
  const session: unknown = Reflect.get(content, 'session');
  const isRight = text.length > largeText ? isLargeSession : isSession;
  if (!isRight(session)) throw damaged(path, (isRight.errors ?? []).slice(0, mostProblems).map(problemOf));
  const problems = problemsOfRecord(session);
  if (problems.length > 0) throw damaged(path, problems.slice(0, mostProblems));
  const signature: unknown = Reflect.get(content, 'signature');
  return { session, authenticity: authenticityOf(session, signature, keys), digest: digestOf(session) };
};

const readObject = (text: string, path: string): object => {
  const problem = jsonProblem(text, bounds);
  if (problem !== undefined) throw new Fault('session_file.damaged', 'caller', `${path} ${problem}`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Fault('session_file.damaged', 'caller', `${path} is not JSON`, { cause });
  }
  if (typeof content === 'object' && content !== null) return content;
  throw new Fault('session_file.damaged', 'caller', `${path} holds no object`);
};

const problemOf = (error: ErrorObject): FieldProblem => {
  const values: unknown = error.params.allowedValues;
  return {
    field: `session${error.instancePath.replaceAll('/', '.')}`,
    reason: error.message ?? 'is wrong',
    ...(Array.isArray(values) && { allowed: values.join(', ') }),
  };
};

const damaged = (path: string, problems: readonly FieldProblem[]): Fault => {
  const list = problems.map(({ field, reason }) => `${field} ${reason}`).join('; ');
  return new Fault('session_file.damaged', 'caller', `${path} is damaged: ${list}`, { problems });
};
