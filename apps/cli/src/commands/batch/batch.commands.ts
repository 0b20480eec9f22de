import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { QueryOf } from '@fleet/api-client';
import {
  retriable,
  type BatchResultPage,
  type BatchView,
  type Retriable,
  type RowState,
} from '@fleet/contracts/batches';
import { routes } from '@fleet/contracts/routes';
import { isEnded, sessionStatuses } from '@fleet/contracts/sessions';
import { counted } from '@fleet/session-report';
import { CliError } from '../../cli-error';
import { exitCodes } from '../../exit-codes';
import { tableLines } from '../../output/table';
import type { Action, CommandContext, Connect } from '../../command-context';
import { numberFrom } from '../../read-options';
import { addQueryOptions } from '../query-options';
import { batchLines, exitCodeOfBatch, resultLines, rowLines } from './batch-lines';
import { addBatchPriority } from './batch-priority.command';
import { addBatchSubmit } from './batch-submit.command';
import { followBatch, rowsWith } from './follow-batch';

const example = (text: string): string => `\nExample:\n  phx batch ${text}`;
const idArgument = 'the id of the batch';
const allRows = 10_000;

const list: Action<{ readonly proposal?: string; readonly limit: number }> = async (
  context,
  _,
  { proposal, limit },
) => {
  const page = await context.client.json('GET /v1/batches', { query: { limit, proposal } });
  context.print(page, () =>
    tableLines([
      ['ID', 'STATUS', 'PROPOSAL', 'SUBMITTED', 'STATE', 'TITLE'],
      ...page.batches.map(({ id, status, proposal: of, createdAt, state, title }) => [
        id,
        status,
        of,
        createdAt.slice(0, 19),
        state,
        title,
      ]),
    ]),
  );
  if (page.nextCursor !== undefined && !context.json)
    context.terminal.err('(there are more; raise --limit to see them)\n');
};

const show: Action<{ readonly rows?: boolean; readonly state?: RowState }> = async (context, [id = ''], options) => {
  const batch = await context.client.json('GET /v1/batches/{id}', { path: { id } });
  if (options.rows !== true && options.state === undefined) {
    context.print(batch, () => batchLines(batch));
    return exitCodes.ok;
  }
  const { rows } = await rowsWith(context, id, options.state, allRows);
  context.print({ ...batch, list: rows }, () => [...batchLines(batch), '', ...rowLines(rows)]);
  return exitCodes.ok;
};

const watch: Action<object> = async (context, [id = '']) =>
  exitCodeOfBatch(await followBatch(context, id, (batch) => batch.done));

interface ResultsOptions {
  readonly csv?: boolean;
  readonly output?: string;
  readonly sort?: QueryOf<'GET /v1/batches/{id}/results'>['sort'];
  readonly limit: number;
}

const writeCsv = async (context: CommandContext, id: string, { output, sort }: ResultsOptions): Promise<void> => {
  const text = await context.client.text('GET /v1/batches/{id}/results.csv', { path: { id }, query: { sort } });
  if (output === undefined) {
    // A terminal shows a carriage return visibly.
    context.terminal.out(text.replaceAll('\r\n', '\n'));
    return;
  }
  await writeFile(resolve(context.terminal.cwd, output), text).catch((error: unknown) => {
    throw new CliError(
      exitCodes.usage,
      `${output} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
};

const results: Action<ResultsOptions> = async (context, [id = ''], options) => {
  if (options.csv === true || options.output !== undefined) {
    await writeCsv(context, id, options);
    return exitCodes.ok;
  }
  const found: BatchResultPage['results'][number][] = [];
  let cursor: string | undefined;
  do {
    const query = { sort: options.sort, limit: Math.min(500, options.limit - found.length), cursor };
    const page: BatchResultPage = await context.client.json('GET /v1/batches/{id}/results', { path: { id }, query });
    found.push(...page.results);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < options.limit);
  context.print({ results: found }, () => resultLines({ results: found }));
  if (cursor !== undefined && !context.json) context.terminal.err('(there are more; raise --limit to see them)\n');
  return exitCodes.ok;
};

const change =
  (what: 'pause' | 'resume'): Action<object> =>
  async (context, [id = '']) => {
    const batch = await context.client.json(`POST /v1/batches/{id}/${what}`, { path: { id } });
    context.print(batch, () => [`${batch.id}: ${batch.state}`]);
  };

const isCancelled = ({ states, sessions }: BatchView): boolean =>
  states.waiting + states.checked === 0 && sessionStatuses.every((status) => isEnded(status) || sessions[status] === 0);

const cancel: Action<{ readonly wait?: boolean }> = async (context, [id = ''], { wait }) => {
  const batch = await context.client.json('POST /v1/batches/{id}/cancel', { path: { id } });
  if (wait === true) await followBatch(context, id, isCancelled);
  else context.print(batch, () => [`${batch.id}: ${batch.state}`]);
};

const retry: Action<{ readonly of?: readonly Retriable[] }> = async (context, [id = ''], { of }) => {
  const given = { path: { id }, ...(of !== undefined && { body: { of } }) };
  const retried = await context.client.json('POST /v1/batches/{id}/retry', given);
  context.print(retried, () => [`${counted(retried.retried, 'row')} retried`]);
};

const readLimit = numberFrom(1, 99_999);

/** The command requests all pages. */
const pageParameters = ['limit', 'cursor'] as const;

const addReading = (batch: Command, connect: Connect): void => {
  connect<{ proposal?: string; limit: number }>(
    addQueryOptions(batch.command('list').summary('list batches, newest first'), routes.batches.list, pageParameters)
      .option('--limit <number>', 'maximum number of batches, up to 100', readLimit, 20)
      .addHelpText('after', example('list --proposal mx1234')),
    list,
  );
  connect<{ rows?: boolean; state?: RowState }>(
    addQueryOptions(
      batch.command('show').summary('show a batch: its rows by state, its sessions by status'),
      routes.batchResults.rows,
      pageParameters,
    )
      .argument('<id>', idArgument)
      .option('--rows', 'also list each row with its manifest line and its session or problem')
      .addHelpText('after', example('show 01jd7v9s6m2x4k8q0w5c3b1n7r --state rejected')),
    show,
  );
  connect<object>(
    batch
      .command('watch')
      .summary('follow a batch until all of its sessions have ended')
      .description(
        'The exit code is that of the worst row: 8 infrastructure, 6 science, 7 unsatisfactory, 3 rejected or cancelled, otherwise 0.',
      )
      .argument('<id>', idArgument)
      .addHelpText('after', example('watch 01jd7v9s6m2x4k8q0w5c3b1n7r')),
    watch,
  );
  connect<ResultsOptions>(
    addQueryOptions(
      batch.command('results').summary('show the results of a batch, also as CSV'),
      routes.batchResults.results,
      pageParameters,
    )
      .argument('<id>', idArgument)
      .option('--csv', 'print all rows as a table for spreadsheets')
      .option('--output <file>', 'write this table to a file')
      .option('--limit <number>', 'maximum number of rows', readLimit, 500)
      .addHelpText('after', example('results 01jd7v9s6m2x4k8q0w5c3b1n7r --sort fit --output hits.csv')),
    results,
  );
};

const addChanging = (batch: Command, connect: Connect): void => {
  connect<object>(
    batch
      .command('pause')
      .summary('start no more rows until resumed')
      .description('Running sessions continue.')
      .argument('<id>', idArgument)
      .addHelpText('after', example('pause 01jd7v9s6m2x4k8q0w5c3b1n7r')),
    change('pause'),
  );
  connect<object>(
    batch
      .command('resume')
      .summary('resume a paused batch')
      .argument('<id>', idArgument)
      .addHelpText('after', example('resume 01jd7v9s6m2x4k8q0w5c3b1n7r')),
    change('resume'),
  );
  connect<{ wait?: boolean }>(
    batch
      .command('cancel')
      .summary('cancel a batch and all of its sessions')
      .argument('<id>', idArgument)
      .option('--wait', 'return when all its programs have stopped')
      .addHelpText('after', example('cancel 01jd7v9s6m2x4k8q0w5c3b1n7r --wait')),
    cancel,
  );
  connect<{ of?: readonly Retriable[] }>(
    batch
      .command('retry')
      .summary('retry rejected rows and failed sessions, each as a new session')
      .argument('<id>', idArgument)
      .addOption(new Option('--of <what...>', 'which rows (default: rejected failed)').choices([...retriable]))
      .addHelpText('after', example('retry 01jd7v9s6m2x4k8q0w5c3b1n7r --of failed')),
    retry,
  );
};

export const addBatch = (program: Command, connect: Connect): void => {
  const batch = program
    .command('batch')
    .summary('submit, follow and collect many datasets at once')
    .description('A batch is many submissions from one manifest or one folder pattern (docs/batches.md).')
    .addHelpText('after', example('submit fragments.csv --proposal mx1234 --watch'));
  addBatchSubmit(batch, connect);
  addReading(batch, connect);
  addChanging(batch, connect);
  addBatchPriority(batch, connect);
};
