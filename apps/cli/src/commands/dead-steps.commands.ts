import type { Command } from 'commander';
import type { QueryOf } from '@fleet/api-client';
import { usualRetriesPerMinute, type DeadStep, type DeadStepsView, type UnchangedStep } from '@fleet/contracts/queues';
import { routes } from '@fleet/contracts/routes';
import { plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import type { Action, Connect } from '../command-context';
import { numberFrom } from '../read-options';
import { addQueryOptions } from './query-options';

type ListOptions = QueryOf<'GET /v1/admin/steps'>;

interface RetryOptions {
  readonly cause?: string;
  readonly perMinute?: number;
}

interface DropOptions {
  readonly cause?: string;
  readonly reason: string;
}

const stateText = { woken: 'is woken again', given_up: 'gave its session up', past: 'past' } as const;

const second = (time: string): string => time.slice(0, 19);

const stepCells = ({ id, job, state, failures, firstAt, cause, reason }: DeadStep): readonly string[] => [
  id,
  job,
  second(firstAt),
  String(failures),
  stateText[state],
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
    ...(more === 0 ? [] : [`${String(more)} more: select them with --limit, --cause and --queue`]),
  ];
};

const list: Action<ListOptions> = async (context, _, { queue, cause, state, limit }) => {
  const found = await context.client.json('GET /v1/admin/steps', { query: { queue, cause, state, limit } });
  context.print(found, () => listLines(found));
};

const show: Action<object> = async (context, [id = '']) => {
  const step = await context.client.json('GET /v1/admin/steps/{id}', { path: { id } });
  context.print(step, () => [
    ...tableLines([
      ['step', step.id],
      ['job', `${step.job} (queue ${step.queue})`],
      ['session', step.sessionId ?? 'unknown'],
      ['state', stateText[step.state]],
      ['failures', `${String(step.failures)}, from ${second(step.firstAt)} to ${second(step.lastAt)}`],
      ['reason', step.reason],
    ]),
    ...step.stack.map(plainLine),
  ]);
};

/** @throws CliError `usage` unless exactly one of the two is given */
const chosenOf = (
  steps: readonly string[],
  cause: string | undefined,
): { readonly steps: readonly string[] } | { readonly cause: string } => {
  if (cause !== undefined && steps.length === 0) return { cause };
  if (cause === undefined && steps.length > 0) return { steps };
  throw new CliError(exitCodes.usage, 'Name steps, or a cause with --cause, but not both.', [
    'phx admin steps list shows both.',
  ]);
};

const unchangedLines = (unchanged: readonly UnchangedStep[]): readonly string[] =>
  unchanged.map(({ id, reason }) => plainLine(`left unchanged: ${id}: ${reason}`));

const retry: Action<RetryOptions> = async (context, steps, { cause, perMinute }) => {
  const body = { ...chosenOf(steps, cause), ...(perMinute !== undefined && { perMinute }) };
  const result = await context.client.json('POST /v1/admin/steps/retry', { body });
  context.print(result, () => [
    ...result.retried.map(({ id, inSeconds }) => plainLine(`retried in ${String(inSeconds)} s: ${id}`)),
    ...unchangedLines(result.unchanged),
    ...(result.retried.length + result.unchanged.length === 0 ? ['No dead steps of this cause.'] : []),
  ]);
  return result.unchanged.length === 0 ? exitCodes.ok : exitCodes.refused;
};

const drop: Action<DropOptions> = async (context, steps, { cause, reason }) => {
  const body = { ...chosenOf(steps, cause), reason };
  const result = await context.client.json('POST /v1/admin/steps/drop', { body });
  context.print(result, () => [
    ...result.dropped.map((id) => plainLine(`dropped: ${id}`)),
    ...unchangedLines(result.unchanged),
    ...(result.dropped.length + result.unchanged.length === 0 ? ['No dead steps of this cause.'] : []),
  ]);
  return result.unchanged.length === 0 ? exitCodes.ok : exitCodes.refused;
};

const example = (text: string): string => `\nExample:\n  ${text}`;
const stepsArgument = ['[steps...]', 'which, as phx admin steps list shows them'] as const;
const causeOption = ['--cause <cause>', 'all of this cause'] as const;

const rate = numberFrom(1, 6000);

const addQueries = (steps: Command, connect: Connect): void => {
  connect<ListOptions>(
    addQueryOptions(
      steps.command('list').summary('list dead steps by cause, oldest first'),
      routes.deadSteps.list,
    ).addHelpText('after', example('phx admin steps list --cause storage.unavailable')),
    list,
  );
  connect<object>(
    steps
      .command('show')
      .summary('show a dead step and where it failed')
      .argument('<step>', 'as phx admin steps list shows it')
      .addHelpText('after', example('phx admin steps show 01jd7v9s6m2x4k8q0w5c3b1n7r-v5')),
    show,
  );
};

/** Commands for steps that failed for good. */
export const addDeadSteps = (admin: Command, connect: Connect): void => {
  const steps = admin
    .command('steps')
    .summary('permanently failed steps: list, show, retry, drop')
    .description(
      'A step that fails permanently is woken again. After four consecutive failures its session ends with the reason. Once the cause is fixed, retry resumes such sessions.',
    )
    .addHelpText('after', example('phx admin steps list'));
  addQueries(steps, connect);
  connect<RetryOptions>(
    steps
      .command('retry')
      .summary('retry dead steps at a limited rate per minute')
      .description(
        'Resumes sessions that were given up, and wakes those that are still at their step. Exits with 3 if any step was left unchanged.',
      )
      .argument(...stepsArgument)
      .option(...causeOption)
      .option('--per-minute <number>', `steps per minute (default: ${String(usualRetriesPerMinute)})`, rate)
      .addHelpText('after', example('phx admin steps retry --cause knowledge.invalid --per-minute 30')),
    retry,
  );
  connect<DropOptions>(
    steps
      .command('drop')
      .summary('drop dead steps and record the reason in the audit log')
      .description(
        'Sessions are not changed. A step for which its session still waits is not dropped: cancel the session first. Exits with 3 if any step was left unchanged.',
      )
      .argument(...stepsArgument)
      .option(...causeOption)
      .requiredOption('--reason <text>', 'reason for dropping the steps')
      .addHelpText('after', example('phx admin steps drop --cause other --reason "the data sets were withdrawn"')),
    drop,
  );
};
