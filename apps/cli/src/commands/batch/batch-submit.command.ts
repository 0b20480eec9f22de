import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { duplicateRules, type BatchStart, type DuplicateRule, type RowsAdded } from '@fleet/contracts/batches';
import { counted } from '@fleet/session-report';
import { CliError, unreadable } from '../../cli-error';
import { isLostConnection } from '../../client/gateway-client';
import { typedBody } from '../../client/typed-body';
import { exitCodes, type ExitCode } from '../../exit-codes';
import { submitterOf, type Action, type CommandContext, type Connect } from '../../command-context';
import { announcing } from '../maintenance-notice';
import {
  collect,
  priorityOption,
  readAdvice,
  readDirectives,
  readSettings,
  withInstructions,
  type AdviceOptions,
  type DirectiveOptions,
  type SettingOptions,
} from '../../read-options';
import { readKey } from '../submit.command';
import type * as CheckManifest from './check-manifest';
import { batchLines, exitCodeOfBatch, rejectedLines } from './batch-lines';
import { followBatch, rowsWith } from './follow-batch';

interface SubmitOptions extends AdviceOptions, DirectiveOptions, SettingOptions {
  readonly folder?: string;
  readonly format?: keyof typeof mediaTypes;
  readonly file: readonly string[];
  readonly proposal?: string;
  readonly beamline?: string;
  readonly title?: string;
  readonly rowTitle?: string;
  readonly submitter?: string;
  readonly priority?: string;
  readonly start?: BatchStart;
  readonly duplicates?: DuplicateRule;
  readonly dryRun?: boolean;
  readonly batch?: string;
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
}

const mediaTypes = { csv: 'text/csv', yaml: 'application/yaml', jsonl: 'application/x-ndjson' } as const;

const formatOfEnding: Readonly<Record<string, keyof typeof mediaTypes>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
};

interface Manifest {
  readonly type: (typeof mediaTypes)[keyof typeof mediaTypes];
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Base folder of its relative paths. */
  readonly folder: string;
}

// Loaded here: a start of phx needs no reader of manifests.
const loadCheck = () => module.require('./check-manifest') as typeof CheckManifest;

const loadManifest = async (file: string, options: SubmitOptions, cwd: string): Promise<Manifest> => {
  const format = options.format ?? formatOfEnding[extname(file).toLowerCase()];
  if (format === undefined)
    throw new CliError(
      exitCodes.usage,
      `Cannot determine the format of ${file}. Set it with --format csv, yaml or jsonl.`,
    );
  const path = resolve(cwd, file);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  await loadCheck().checkManifest(file, bytes, format);
  return { type: mediaTypes[format], bytes, folder: dirname(path) };
};

/** @throws CliError `usage` unless there is exactly one source of rows */
const manifestOf = async (
  [file]: readonly string[],
  options: SubmitOptions,
  cwd: string,
): Promise<Manifest | undefined> => {
  if ((file === undefined) === (options.folder === undefined))
    throw new CliError(exitCodes.usage, 'Give a manifest, or --folder with a pattern.');
  if (options.batch !== undefined && file === undefined)
    throw new CliError(exitCodes.usage, '--batch adds the rows of a manifest; give one.');
  return file === undefined ? undefined : loadManifest(file, options, cwd);
};

const bodyOf = async (
  manifest: Manifest | undefined,
  options: SubmitOptions,
  context: CommandContext,
): Promise<object> => {
  const { cwd } = context.terminal;
  const {
    proposal,
    beamline,
    title,
    rowTitle,
    folder,
    submitter = await submitterOf(context),
    start,
    duplicates,
    dryRun,
    file,
    priority,
  } = options;
  const defaults = {
    ...(file.length > 0 && { files: file.map((path) => resolve(cwd, path)) }),
    beamline,
    title: rowTitle,
    priority,
    ...(await readAdvice(options, cwd)),
    ...(options.set.length > 0 && { settings: readSettings(options.set) }),
    directives: await readDirectives(options, cwd),
  };
  // Undefined members are not sent.
  return {
    title,
    proposal,
    submitter,
    start: dryRun === true ? 'never' : start,
    duplicates,
    base: manifest?.folder ?? cwd,
    defaults,
    ...(folder !== undefined && { folder: { pattern: folder } }),
  };
};

/** Milliseconds until a request with a lost response is repeated. */
const resendMs = 500;

/**
 * Rows are identified by their content and batches by their key, so a request that may have arrived can be repeated.
 */
const persistently = async <T>({ terminal }: CommandContext, post: () => Promise<T>): Promise<T> => {
  try {
    return await post();
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    await terminal.pause(resendMs);
    return post();
  }
};

/**
 * The same manifest with the same options is the same batch, so that repeating an interrupted submission resumes it.
 */
const keyOf = (body: object, manifest: Manifest | undefined): string =>
  `phx-${createHash('sha256')
    .update(JSON.stringify(body))
    .update(manifest?.bytes ?? '')
    .digest('hex')
    .slice(0, 40)}`;

const makeBatch = async (
  context: CommandContext,
  manifest: Manifest | undefined,
  options: SubmitOptions,
): Promise<string> => {
  if (options.batch !== undefined) return options.batch;
  const body = await bodyOf(manifest, options, context);
  const key = options.idempotencyKey ?? keyOf(body, manifest);
  const request = { body: typedBody<'POST /v1/batches'>(body) };
  const sending = { headers: { 'idempotency-key': key } };
  return (await persistently(context, () => context.client.json('POST /v1/batches', request, sending))).id;
};

const shownProblems = 20;

const reportRejected = async (context: CommandContext, id: string): Promise<void> => {
  const { rows, more } = await rowsWith(context, id, 'rejected', shownProblems);
  if (rows.length === 0) return;
  context.terminal.err([...rejectedLines(rows), ''].join('\n'));
  if (more) context.terminal.err(`(more rows: phx batch show ${id} --rows --state rejected)\n`);
};

const report = async (context: CommandContext, id: string, options: SubmitOptions): Promise<ExitCode> => {
  const { client } = context;
  if (options.watch === true || options.dryRun === true) {
    const done = await followBatch(context, id, (batch) => batch.done);
    if (!context.json) await reportRejected(context, id);
    return exitCodeOfBatch(done);
  }
  const batch = await client.json('GET /v1/batches/{id}', { path: { id } });
  context.print(batch, () => [...batchLines(batch), `Watch it with: phx batch watch ${id}`]);
  return exitCodes.ok;
};

const submit: Action<SubmitOptions> = async (context, operands, options) => {
  const manifest = await manifestOf(operands, options, context.terminal.cwd);
  const id = await makeBatch(context, manifest, options);
  if (manifest !== undefined) {
    const rows = {
      path: { id },
      query: { complete: 'true' },
      raw: { type: manifest.type, content: manifest.bytes },
    } as const;
    const post = (): Promise<RowsAdded> => context.client.json('POST /v1/batches/{id}/rows', rows);
    const { added, known } = await persistently(context, post);
    const note = known === 0 ? '' : `; ${String(known)} already existed`;
    if (!context.json) context.terminal.err(`${counted(added, 'row')} added${note}\n`);
  }
  return report(context, id, options);
};

export const addBatchSubmit = (batch: Command, connect: Connect): void => {
  const command = withInstructions(batch.command('submit'))
    .summary('submit many datasets from a manifest or a folder')
    .description(
      'Submits a manifest (CSV, YAML or JSON lines; see docs/batches.md): each row becomes a session, or is rejected with a reason. Paths that are ' +
        'not absolute begin at the folder of the manifest. Repeating the command continues where it ended: no row is submitted twice.',
    )
    .argument('[manifest]', 'a file; its columns are the members of a submission')
    .option('--folder <pattern>', 'instead of a manifest: a pattern such as /data/mx1/{crystal}/final.mtz')
    .addOption(
      new Option('--format <format>', 'format of the manifest (default: by its file extension)').choices(
        Object.keys(mediaTypes),
      ),
    )
    .option(
      '--file <path>',
      'a file for every row, after its own files; may be repeated and contain {variables}',
      collect,
      [],
    )
    .option('--proposal <name>', 'the proposal that the data belong to')
    .option('--beamline <name>', 'beamline or microscope')
    .option('--title <text>', 'title of the batch')
    .option('--row-title <text>', 'title of rows without one; may contain {variables}')
    .option('--submitter <name>', 'the submitter (default: your user name, or the owner of your key)')
    .addOption(priorityOption('priority of rows that do not state one (default: standard)'))
    .addOption(
      new Option('--start <when>', 'start each row once it is checked, or all together if all are valid').choices([
        'each',
        'together',
      ]),
    )
    .addOption(
      new Option(
        '--duplicates <what>',
        'treatment of rows with the same files, settings and advice as an earlier session of the proposal (default: submit)',
      ).choices([...duplicateRules]),
    )
    .option('--dry-run', 'check the rows without starting them; the exit code is 3 if any is rejected')
    .option('--batch <id>', 'add the rows to this batch, which keeps its own options')
    .option('--idempotency-key <key>', 'key of the batch (default: derived from the manifest and the options)', readKey)
    .option('--watch', 'follow the batch; the exit code shows how it ended')
    .addHelpText(
      'after',
      '\nExample:\n  phx batch submit fragments.csv --proposal mx1234 --file protein.pdb --advice "fit {ligand}" --watch',
    );
  connect<SubmitOptions>(command, announcing(submit));
};
