import { InvalidArgumentError, Option, type Command } from 'commander';
import type { QueryOf } from '@fleet/api-client';
import {
  Queues,
  stepStandings,
  usualRetriesPerMinute,
  type DeadStep,
  type DeadStepsView,
  type KeptStep,
} from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import type { Action, Connect } from './command-context';

type ListOptions = QueryOf<'GET /v1/admin/steps'>;

interface RetryOptions {
  readonly cause?: string;
  readonly perMinute?: number;
}

interface DropOptions {
  readonly cause?: string;
  readonly reason: string;
}

const standingText = { woken: 'is woken again', given_up: 'gave its session up', past: 'past' } as const;

const second = (time: string): string => time.slice(0, 19);

const stepCells = ({ id, job, standing, failures, firstAt, cause, reason }: DeadStep): readonly string[] => [
  id,
  job,
  second(firstAt),
  String(failures),
  standingText[standing],
  reason.startsWith(`${cause}: `) ? reason.slice(cause.length + 2) : reason,
];

const listLines = ({ causes, steps, more }: DeadStepsView): readonly string[] => {
  if (steps.length === 0) return ['No dead steps.'];
  const causeRows = causes.map(({ cause, queue, steps: count, firstAt }) => [
    cause,
    queue,
    String(count),
    second(firstAt),
  ]);
  return [
    ...tableLines([['CAUSE', 'QUEUE', 'STEPS', 'OLDEST'], ...causeRows]),
    '',
    ...tableLines([['STEP', 'JOB', 'SINCE', 'FAILURES', 'STATE', 'REASON'], ...steps.map(stepCells)]),
    ...(more === 0 ? [] : [`${String(more)} more: --limit, --cause and --queue choose among them`]),
  ];
};

const list: Action<ListOptions> = async (context, _, { queue, cause, standing, limit }) => {
  const found = await context.client.json('GET /v1/admin/steps', { query: { queue, cause, standing, limit } });
  context.print(found, () => listLines(found));
  return exitCodes.ok;
};

const show: Action<object> = async (context, [id = '']) => {
  const step = await context.client.json('GET /v1/admin/steps/{id}', { path: { id } });
  context.print(step, () => [
    ...tableLines([
      ['step', step.id],
      ['job', `${step.job} (queue ${step.queue})`],
      ['session', step.sessionId ?? 'unknown'],
      ['state', standingText[step.standing]],
      ['failures', `${String(step.failures)}, from ${second(step.firstAt)} to ${second(step.lastAt)}`],
      ['reason', step.reason],
    ]),
    ...step.stack.map(plainLine),
  ]);
  return exitCodes.ok;
};

/** @throws CliError `usage` unless it is one of the two */
const chosenOf = (
  steps: readonly string[],
  cause: string | undefined,
): { readonly steps: readonly string[] } | { readonly cause: string } => {
  if (cause !== undefined && steps.length === 0) return { cause };
  if (cause === undefined && steps.length > 0) return { steps };
  throw new CliError(exitCodes.usage, 'Name steps, or a cause with --cause; not both.', [
    'phx admin steps list shows both.',
  ]);
};

const keptLines = (kept: readonly KeptStep[]): readonly string[] =>
  kept.map(({ id, because }) => plainLine(`left as it is: ${id}: ${because}`));

const retry: Action<RetryOptions> = async (context, steps, { cause, perMinute }) => {
  const body = { ...chosenOf(steps, cause), ...(perMinute !== undefined && { perMinute }) };
  const came = await context.client.json('POST /v1/admin/steps/retry', { body });
  context.print(came, () => [
    ...came.retried.map(({ id, inSeconds }) => plainLine(`is tried again in ${String(inSeconds)} s: ${id}`)),
    ...keptLines(came.kept),
    ...(came.retried.length + came.kept.length === 0 ? ['No dead steps of this cause.'] : []),
  ]);
  return came.kept.length === 0 ? exitCodes.ok : exitCodes.refused;
};

const drop: Action<DropOptions> = async (context, steps, { cause, reason }) => {
  const body = { ...chosenOf(steps, cause), reason };
  const came = await context.client.json('POST /v1/admin/steps/drop', { body });
  context.print(came, () => [
    ...came.dropped.map((id) => plainLine(`dropped: ${id}`)),
    ...keptLines(came.kept),
    ...(came.dropped.length + came.kept.length === 0 ? ['No dead steps of this cause.'] : []),
  ]);
  return came.kept.length === 0 ? exitCodes.ok : exitCodes.refused;
};

const rate = (text: string): number => {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 6000) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 6000.');
};

const example = (text: string): string => `\nExample:\n  ${text}`;
const stepsArgument = ['[steps...]', 'which, as phx admin steps list shows them'] as const;
const causeOption = ['--cause <cause>', 'all of this cause'] as const;

const addLooking = (steps: Command, connect: Connect): void => {
  connect<ListOptions>(
    steps
      .command('list')
      .summary('list them by cause, the oldest first')
      .addOption(new Option('--queue <queue>', 'of this queue alone').choices(Object.values(Queues)))
      .option('--cause <cause>', 'of this cause alone')
      .addOption(
        new Option(
          '--standing <standing>',
          'woken: the session is still at the step; given_up: it ended because of it; past: it continued, or is gone (default: woken and given_up)',
        ).choices(stepStandings),
      )
      .option('--limit <number>', 'how many, at most 1000 (default: 100)')
      .addHelpText('after', example('phx admin steps list --cause storage.unavailable')),
    list,
  );
  connect<object>(
    steps
      .command('show')
      .summary('show one, with where it failed')
      .argument('<step>', 'as phx admin steps list shows it')
      .addHelpText('after', example('phx admin steps show 01jd7v9s6m2x4k8q0w5c3b1n7r-v5')),
    show,
  );
};

/** Steps that failed for good. */
export const addDeadSteps = (admin: Command, connect: Connect): void => {
  const steps = admin
    .command('steps')
    .summary('steps that failed for good: list, show, retry, drop')
    .description(
      'A step that fails for good is woken again; after four failures in a row its session ends with the reason. Once the cause is repaired, retry lets such sessions continue.',
    )
    .addHelpText('after', example('phx admin steps list'));
  addLooking(steps, connect);
  connect<RetryOptions>(
    steps
      .command('retry')
      .summary('let them be tried again, so many a minute')
      .description(
        'Resumes sessions that were given up, and wakes those that are still at their step. Exits with 3 if any was left as it is.',
      )
      .argument(...stepsArgument)
      .option(...causeOption)
      .option('--per-minute <number>', `how many begin in a minute (default: ${String(usualRetriesPerMinute)})`, rate)
      .addHelpText('after', example('phx admin steps retry --cause knowledge.invalid --per-minute 30')),
    retry,
  );
  connect<DropOptions>(
    steps
      .command('drop')
      .summary('forget them, with a reason that the audit log keeps')
      .description(
        'Sessions stay as they are. A step that its session still waits for is kept: cancel the session first. Exits with 3 if any was left as it is.',
      )
      .argument(...stepsArgument)
      .option(...causeOption)
      .requiredOption('--reason <text>', 'why nobody needs them any more')
      .addHelpText('after', example('phx admin steps drop --cause other --reason "the data sets were withdrawn"')),
    drop,
  );
};
