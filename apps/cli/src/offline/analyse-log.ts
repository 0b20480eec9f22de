import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AttemptEnding, Metric } from '@fleet/contracts/sessions';
import type { ProgramKnowledge, RuleBook } from '@fleet/knowledge-model';
import { failureOf, ProgramLogFormat, type Failure, type LogReading } from '@fleet/log-parsing';
import { counted, metricLabel, metricText, plainLine } from '@fleet/session-report';
import { CliError, unreadable } from '../cli-error';
import type { CommandContext } from '../command-context';
import { exitCodes, type ExitCode } from '../exit-codes';
import { tableLines } from '../output/table';
import { openRuleBook, programNamed } from './open-knowledge';
import { statedProgram } from './stated-program';

/** Bytes read at once, and searched for the head line. */
const chunkBytes = 524_288;
const headBytes = 16_384;

/** The exit code of a run is not in its log, so only its last lines judge it. */
const unknownEnding: AttemptEnding = {
  kind: 'exited',
  message: '',
  infrastructure: false,
  endedAt: '',
  durationMs: 0,
};

interface Analysis {
  readonly log: string;
  readonly program: string;
  readonly lines: number;
  readonly bytes: number;
  readonly outcome: 'success' | 'failed';
  readonly metrics: readonly Metric[];
  readonly cause?: string;
  readonly knownError?: string;
  readonly errorLines: readonly string[];
}

const openLog = async (path: string): Promise<FileHandle> => {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new CliError(exitCodes.usage, `${path} is not a file.`);
};

const programOf = async (
  file: FileHandle,
  path: string,
  given: string | undefined,
  ruleBook: RuleBook,
): Promise<ProgramKnowledge> => {
  if (given !== undefined) return programNamed(ruleBook, given);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  const stated = statedProgram(buffer.toString('utf8', 0, bytesRead));
  if (stated !== undefined) return programNamed(ruleBook, stated);
  throw new CliError(
    exitCodes.usage,
    `${path} does not name its program in its first lines, and phx never guesses the program.`,
    ['Name the program: phx analyse LOG --program PROGRAM (see: phx knowledge show)'],
  );
};

const read = async (file: FileHandle, program: ProgramKnowledge, { errors }: RuleBook): Promise<LogReading> => {
  const reader = new ProgramLogFormat(program, errors).open();
  const buffer = Buffer.alloc(chunkBytes);
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) return reader.end();
    reader.push(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
};

const analysisOf = (log: string, program: string, reading: LogReading, failure: Failure | undefined): Analysis => ({
  log,
  program,
  lines: reading.lines,
  bytes: reading.bytes,
  outcome: failure === undefined ? 'success' : 'failed',
  metrics: reading.metrics,
  ...(failure !== undefined && { cause: failure.cause }),
  ...(failure?.known !== undefined && { knownError: failure.known }),
  errorLines: failure?.lines ?? [],
});

const linesOf = (analysis: Analysis, { metrics: definitions }: RuleBook): readonly string[] => {
  const { program, lines, metrics, outcome, cause, knownError, errorLines } = analysis;
  const rows = metrics.map(({ name, value, line, pattern }) => [
    name,
    metricLabel(name, definitions),
    metricText(name, value, definitions),
    String(line),
    pattern,
  ]);
  const known = knownError === undefined ? '' : ` (known as ${knownError})`;
  return [
    `${program}, ${counted(lines, 'line')}`,
    '',
    ...(rows.length === 0 ? ['No metrics.'] : tableLines([['METRIC', 'MEANING', 'VALUE', 'LINE', 'PATTERN'], ...rows])),
    '',
    outcome === 'success' ? 'No sign of failure in its last lines.' : `FAILED: ${plainLine(cause ?? '')}${known}`,
    ...errorLines.map((line) => `  | ${plainLine(line)}`),
  ];
};

/** `phx analyse`: the metrics of a log with their lines, and the problems of the run. */
export const analyseLog = async (
  context: CommandContext,
  name: string,
  given: string | undefined,
): Promise<ExitCode> => {
  const path = resolve(context.terminal.cwd, name);
  const ruleBook = openRuleBook(context.terminal);
  const file = await openLog(path);
  try {
    const program = await programOf(file, name, given, ruleBook);
    const reading = await read(file, program, ruleBook);
    if (reading.bytes === 0) throw new CliError(exitCodes.usage, `${name} is empty: the run cannot be analysed.`);
    const failure = failureOf(
      { program: program.name, ending: unknownEnding, log: reading, missingOutputs: [] },
      ruleBook.errors,
    );
    const analysis = analysisOf(path, program.name, reading, failure);
    context.print(analysis, () => linesOf(analysis, ruleBook));
    return failure === undefined ? exitCodes.ok : exitCodes.scienceFailed;
  } finally {
    await file.close();
  }
};
