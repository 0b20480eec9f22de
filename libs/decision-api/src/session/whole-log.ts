import { isFault, type JsonValue } from '@fleet/contracts';
import type { DecideRequest } from '../request/decide-request';
import { readRequest } from '../request/read-request';
import type { ReadLog } from './read-log';

const readable = (document: JsonValue): DecideRequest | undefined => {
  try {
    return readRequest(document).request;
  } catch (error) {
    // The answer to the request says what is wrong with it.
    if (isFault(error)) return undefined;
    throw error;
  }
};

/**
 * A request whose log will be cut on its way gets the metrics of the whole log with its last cycle; what the client says itself counts
 * more. Other requests stay as they are.
 * @param longest characters of a log that arrive
 */
export const withMetricsOfWholeLog = (document: JsonValue, readLog: ReadLog, longest: number): JsonValue => {
  const request = readable(document);
  const last = request?.history.at(-1);
  if (request === undefined || last === undefined || request.log_content.length <= longest) return document;
  const read = readLog(request.session_state.log_program ?? last.program, request.log_content);
  const metrics = { ...Object.fromEntries(read.map(({ name, value }) => [name, value])), ...last.metrics };
  const history = [...request.history.slice(0, -1), { ...last, metrics }] as unknown as JsonValue;
  return { ...(document as Readonly<Record<string, JsonValue>>), history };
};
