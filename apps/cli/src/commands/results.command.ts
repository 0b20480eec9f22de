import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { cycleFolder } from '@fleet/contracts/runs';
import type { OutputFile, ResultsView } from '@fleet/contracts/sessions';
import { CliError } from '../cli-error';
import type { GatewayClient } from '../client/gateway-client';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import { onSession, sessionArgument, type Action, type CommandContext, type Connect } from '../command-context';

interface ResultsOptions {
  readonly download?: string;
  readonly zip?: string;
}

/** @throws CliError if a name would lead out of the folder */
const targetOf = (folder: string, file: OutputFile): string => {
  const target = resolve(folder, cycleFolder(file.cycle, file.program), file.name);
  if (target.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return target;
  throw new CliError(exitCodes.server, `The gateway named a file outside ${folder}: ${JSON.stringify(file.name)}.`);
};

/** Downloads to a temporary name and renames it, so that the final name is complete; a partial file is removed. */
const downloadFile = async (
  context: CommandContext,
  open: (client: GatewayClient) => Promise<Response>,
  target: string,
): Promise<void> => {
  await mkdir(dirname(target), { recursive: true });
  const response = await open(context.client);
  const partial = `${target}.part`;
  try {
    await pipeline(context.client.pieces(response), createWriteStream(partial));
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
};

const download = async (
  context: CommandContext,
  results: ResultsView,
  summary: string,
  given: string,
): Promise<void> => {
  const folder = resolve(context.terminal.cwd, given);
  await mkdir(folder, { recursive: true });
  for (const file of results.files) {
    const target = targetOf(folder, file);
    await downloadFile(context, (client) => client.follow(file.href), target);
    if (!context.json) context.terminal.err(`${target}\n`);
  }
  await writeFile(join(folder, 'summary.md'), summary);
};

/** A folder without write access is the caller's to fix. */
const unwritable = (option: string, error: unknown): unknown => {
  if (typeof error !== 'object' || error === null || Reflect.get(error, 'syscall') === undefined) return error;
  return new CliError(exitCodes.usage, `${option} failed: ${String(Reflect.get(error, 'message'))}`);
};

const bestRows = ({ bestFiles }: ResultsView): readonly string[] =>
  bestFiles.length === 0
    ? []
    : ['## Best files', '', ...tableLines(bestFiles.map(({ category, path }) => [`  ${category}`, path])), ''];

/** All output files and their checksums, in one archive. */
const downloadArchive = async (context: CommandContext, id: string, given: string): Promise<void> => {
  const target = resolve(context.terminal.cwd, given);
  await downloadFile(
    context,
    (client) => client.open('GET /v1/sessions/{id}/files.zip', { path: { id }, query: { which: 'all' } }),
    target,
  );
  if (!context.json) context.terminal.err(`${target}\n`);
};

const results: Action<ResultsOptions> = async (context, [id = ''], options) => {
  const found = await context.client.json('GET /v1/sessions/{id}/results', { path: { id } });
  const summary = await context.client.text('GET /v1/sessions/{id}/summary', { path: { id } });
  context.print(found, () => [summary.trimEnd(), '', ...bestRows(found)]);
  if (options.download !== undefined) {
    await download(context, found, summary, options.download).catch((error: unknown) => {
      throw unwritable('--download', error);
    });
  }
  if (options.zip !== undefined) {
    await downloadArchive(context, id, options.zip).catch((error: unknown) => {
      throw unwritable('--zip', error);
    });
  }
};

export const addResults = (program: Command, connect: Connect): void => {
  const command = program
    .command('results')
    .summary('show the results of a session')
    .description(
      'Prints the summary (Markdown) and the best files. With --json: best files, metrics and every output file.',
    )
    .argument('<id>', sessionArgument)
    .option('--download <folder>', 'download all output files and the summary into this folder')
    .option('--zip <file>', 'download all output files, the summary and their checksums as one archive')
    .addHelpText('after', '\nExample:\n  phx results 01jd7v9s6m2x4k8q0w5c3b1n7r --download ./nutlin');
  connect<ResultsOptions>(command, onSession(results));
};
