import { Fault, type FieldProblem, type Session } from '@fleet/contracts';
import { Ajv, type ErrorObject } from 'ajv';
import { sessionSchema } from './session-schema';

/** Version of the layout of `session.json`; grows when an older reader could not understand it any more. */
const sessionFileVersion = 1;

export const sessionFileText = (session: Session): string =>
  `${JSON.stringify({ schemaVersion: sessionFileVersion, session }, undefined, 1)}\n`;

const isSession = new Ajv({ allErrors: true, allowUnionTypes: true }).compile<Session>(sessionSchema);
/** More problems than this tell nothing new. */
const mostProblems = 20;

/**
 * @param path for the messages
 * @throws Fault `session_file.damaged` with every field that is wrong, or `session_file.newer`
 */
export const parseSessionFile = (text: string, path: string): Session => {
  const content = readObject(text, path);
  const version = Reflect.get(content, 'schemaVersion') as unknown;
  if (typeof version === 'number' && version > sessionFileVersion) {
    throw new Fault(
      'session_file.newer',
      'conflict',
      `${path} was written by a newer release (layout ${String(version)}, this one reads ${String(sessionFileVersion)})`,
    );
  }
  if (version !== sessionFileVersion) {
    throw damaged(path, [{ field: 'schemaVersion', reason: 'is not a layout that is known', allowed: '1' }]);
  }
  const session: unknown = Reflect.get(content, 'session');
  if (isSession(session)) return session;
  throw damaged(path, (isSession.errors ?? []).slice(0, mostProblems).map(problemOf));
};

const readObject = (text: string, path: string): object => {
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
