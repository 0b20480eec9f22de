import { isFault } from '@fleet/contracts/faults';
import type { JsonValue } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { failureOf, statesFailure, withoutMetricsReport } from '@fleet/log-parsing';
import type { DecideRequest } from '../request/read-request';
import { readRequest } from '../request/read-request';
import { endedSomehow } from './log-verdict';
import type { LogContent, ReadLog } from './read-log';

const readable = (document: JsonValue): DecideRequest | undefined => {
  try {
    return readRequest(document).request;
  } catch (error) {
    // The response reports the problem.
    if (isFault(error)) return undefined;
    throw error;
  }
};

/** The failure is at the end of a log, which is truncated: adds it to the result, unless the result already states it. */
const resultWith = (result: string, program: string, log: LogContent, { errors }: RuleBook): string => {
  if (!statesFailure(withoutMetricsReport(result), program, log.metrics.length > 0, errors)) return result;
  const evidence = { program, ending: endedSomehow, log, missingOutputs: [] };
  const lines = failureOf(evidence, errors)?.lines.filter((line) => !result.includes(line.trim())) ?? [];
  const text = withoutMetricsReport(result);
  return lines.length === 0 ? result : `${[text, ...lines].join('\n')}${result.slice(text.length)}`;
};

/**
 * Adds the metrics of the whole log, and the failure at its end, to the last cycle of a request whose log will be truncated; the client's own
 * values take precedence. Other requests are unchanged.
 */
export const withEndOfLog = (document: JsonValue, readLog: ReadLog, ruleBook: RuleBook): JsonValue => {
  const longest = ruleBook.transport.request.log_content?.max_length ?? Infinity;
  const request = readable(document);
  const last = request?.history.at(-1);
  if (request === undefined || last === undefined || request.log_content.length <= longest) return document;
  const program = request.session_state.log_program ?? last.program;
  const reading = readLog(program, request.log_content);
  const metrics = { ...Object.fromEntries(reading.metrics.map(({ name, value }) => [name, value])), ...last.metrics };
  const result = resultWith(last.result, program, reading, ruleBook);
  const history = [...request.history.slice(0, -1), { ...last, metrics, result }] as unknown as JsonValue;
  return { ...(document as Readonly<Record<string, JsonValue>>), history };
};
