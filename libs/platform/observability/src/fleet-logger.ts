import { isConfigError, type LogConfig } from '@fleet/config';
import { isFault } from '@fleet/contracts/faults';
import { shownText } from '@fleet/session-report';
import type { LoggerService } from '@nestjs/common';
import { LogOutput, type LostLines } from './log-output';
import { spanHere } from './tracing/span-here';

type Level = LogConfig['level'];

const rank: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Nest logs every module and route that it wires, which is useful only when wiring fails. */
const wiring: ReadonlySet<string> = new Set([
  'InstanceLoader',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
  'NestApplication',
]);

/** A log line before formatting. */
interface Line {
  readonly level: Level;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Writes the log to standard output, as JSON lines or readable text. A log that cannot be written only loses lines,
 * which are counted and reported later. A JSON line within a span contains its trace id. A call takes a sentence, or an
 * object with `message` and fields (`sessionId`, `cycle`, `queue`, ...), which become fields of the line.
 */
export class FleetLogger implements LoggerService {
  private readonly output: LogOutput | undefined;
  private readonly write: (line: string) => void;

  constructor(
    private readonly config: Pick<LogConfig, 'level' | 'format'>,
    private readonly service: string,
    write?: (line: string) => void,
  ) {
    const output = new LogOutput(1, { notice: (lost) => this.lineFor(lostLine(lost)) });
    this.output = write === undefined ? output : undefined;
    this.write = write ?? ((line) => output.line(line));
  }

  /** Waits briefly for a slow reader; called before the process ends. */
  finish(): void {
    this.output?.finish();
  }

  log(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    this.put(typeof context === 'string' && wiring.has(context) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.put('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.put('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.put('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.put('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.put('debug', message, rest);
  }

  private put(level: Level, message: unknown, rest: readonly unknown[]): void {
    if (rank[level] < rank[this.config.level]) return;
    this.write(this.lineFor(lineOf(level, message, rest)));
  }

  /**
   * JSON does not escape bidirectional control characters; in both forms a name from outside must not mislead the
   * reader.
   */
  private lineFor(line: Line): string {
    return this.config.format === 'json' ? shownText(this.asJson(line)) : asText(line);
  }

  private asJson({ level, message, fields }: Line): string {
    const at = new Date().toISOString();
    const traceId = spanHere()?.traceId;
    const own = { at, level, service: this.service, message, ...(traceId !== undefined && { traceId }) };
    return JSON.stringify({ ...own, ...fields }, plain);
  }
}

const lostLine = ({ count, since, reason }: LostLines): Line => ({
  level: 'warn',
  message: `the log could not be written: ${String(count)} ${count === 1 ? 'line was' : 'lines were'} lost`,
  fields: { lost: count, since: since.toISOString(), reason },
});

/** Nest passes the context last, and a stack before it. */
const lineOf = (level: Level, message: unknown, rest: readonly unknown[]): Line => {
  const context = rest.at(-1);
  const stack = rest.length > 1 ? rest[0] : undefined;
  const extra = {
    ...(typeof context === 'string' ? { context } : {}),
    ...(typeof stack === 'string' ? { stack } : {}),
  };
  if (typeof message === 'string') return { level, message, fields: extra };
  if (message instanceof Error) return { level, message: message.message, fields: { ...extra, ...stackOf(message) } };
  if (typeof message !== 'object' || message === null) return { level, message: String(message), fields: extra };
  const { message: sentence, ...fields } = message as Readonly<Record<string, unknown>>;
  return { level, message: typeof sentence === 'string' ? sentence : '', fields: { ...fields, ...extra } };
};

/** A problem that others must fix is a sentence: the stack of its detection is useless. */
const stackOf = (error: Error): { readonly stack?: string | undefined } =>
  isConfigError(error) || (isFault(error) && error.kind === 'caller') ? {} : { stack: error.stack };

const plain = (_key: string, value: unknown): unknown => {
  if (value instanceof Error) return { name: value.name, message: value.message };
  return typeof value === 'bigint' ? value.toString() : value;
};

/** `08:15:02 warn  step failed (queue=decisions sessionId=...)`; a stack follows on separate lines. */
const asText = ({ level, message, fields }: Line): string => {
  const { stack, ...shown } = fields;
  const pairs = Object.entries(shown).filter(([key, value]) => value !== undefined && key !== 'context');
  const tail = pairs.map(([key, value]) => `${key}=${textOf(value)}`).join(' ');
  const head = `${new Date().toISOString().slice(11, 19)} ${level.padEnd(5)} ${message}${tail === '' ? '' : ` (${tail})`}`;
  // Line breaks in a message would look like separate lines, which could be forged.
  return typeof stack === 'string' ? `${shownText(head)}\n${shownText(stack, '\n\t')}` : shownText(head);
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, plain));
