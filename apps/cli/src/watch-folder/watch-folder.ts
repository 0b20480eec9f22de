import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errnoOf, isFault } from '@fleet/contracts/faults';
import type { Priority } from '@fleet/contracts/launches';
import { readFolderPattern, type FolderPattern } from '@fleet/manifest';
import { CliError, unreadable } from '../cli-error';
import { submitterOf, type CommandContext } from '../command-context';
import {
  readAdvice,
  readDirectives,
  readSettings,
  type AdviceOptions,
  type DirectiveOptions,
  type SettingOptions,
} from '../read-options';
import { exitCodes, type ExitCode } from '../exit-codes';
import type { ChecksumRule } from './checksum-rules';
import type { DatasetTemplate } from './dataset';
import { FolderWatch, type FolderWatchRules } from './folder-watch';
import { WatchLog } from './watch-log';
import { WatchNotes } from './watch-notes';

export interface WatchFolderOptions extends AdviceOptions, DirectiveOptions, SettingOptions {
  readonly pattern: string;
  readonly file: readonly string[];
  readonly proposal?: string;
  readonly beamline?: string;
  readonly title?: string;
  readonly priority?: Priority;
  /** Seconds. */
  readonly settle: number;
  /** Seconds. */
  readonly poll: number;
  readonly checksums: ChecksumRule;
  readonly again?: boolean;
  readonly once?: boolean;
  readonly name?: string;
  readonly state?: string;
}

const templateOf = async (
  { file, proposal, beamline, title, priority, ...options }: WatchFolderOptions,
  folder: string,
  context: CommandContext,
): Promise<DatasetTemplate> => {
  const { cwd } = context.terminal;
  const submitter = await submitterOf(context);
  const directives = await readDirectives(options, cwd);
  const defaults = {
    ...(file.length > 0 && { files: file.map((path) => resolve(cwd, path)) }),
    ...(beamline !== undefined && { beamline }),
    ...(title !== undefined && { title }),
    ...(await readAdvice(options, cwd)),
    ...(options.set.length > 0 && { settings: readSettings(options.set) }),
    ...(directives !== undefined && { directives: directives as Readonly<Record<string, unknown>> }),
  };
  return {
    base: folder,
    defaults,
    ...(submitter !== undefined && { submitter }),
    ...(proposal !== undefined && { proposal }),
    ...(priority !== undefined && { priority }),
  };
};

const patternIn = (folder: string, pattern: string): FolderPattern => {
  const read = readFolderPattern(pattern, folder);
  if ('pattern' in read && !pattern.startsWith('/')) return read.pattern;
  const problems =
    'problems' in read ? read.problems : [{ reason: 'must be relative to the folder, without a leading slash' }];
  throw new CliError(
    exitCodes.usage,
    `--pattern ${pattern} cannot be used: it ${problems.map(({ reason }) => reason).join('; it ')}.`,
  );
};

/** The same folder and pattern are the same watch, on any machine. */
const nameFor = (folder: string, pattern: string): string =>
  `w-${createHash('sha256').update(`${folder}\n${pattern}`).digest('hex').slice(0, 16)}`;

/** Reports an unavailable folder, a full disk or a failing file server; the next round retries. */
const reportTrouble = (error: unknown, folder: string, log: WatchLog): void => {
  if (isFault(error))
    throw new CliError(
      exitCodes.refused,
      [error.message, ...error.problems.map(({ field, reason }) => `${field} ${reason}`)].join(' '),
    );
  if (errnoOf(error) === undefined) throw error;
  log.reportOnce({ event: 'trouble', path: folder, reason: unreadable('it', error).message });
};

/** @returns whether it succeeded; a stop request is not a failure */
const oneRound = async (watch: FolderWatch, folder: string, log: WatchLog, ended: AbortSignal): Promise<boolean> => {
  try {
    await watch.round();
    log.over(folder);
    return true;
  } catch (error) {
    if (ended.aborted) return true;
    reportTrouble(error, folder, log);
    return false;
  }
};

const resolvedFolder = async (folder: string, cwd: string): Promise<string> => {
  try {
    return await realpath(resolve(cwd, folder));
  } catch (error) {
    throw unreadable(folder, error);
  }
};

/** `phx watch-folder`: until a stop request, or for one round. */
export const watchFolder = async (
  context: CommandContext,
  given: string,
  options: WatchFolderOptions,
): Promise<ExitCode> => {
  const { terminal, client, json } = context;
  const folder = await resolvedFolder(given, terminal.cwd);
  const pattern = patternIn(folder, options.pattern);
  const name = options.name ?? nameFor(folder, options.pattern);
  const state =
    options.state === undefined
      ? join(terminal.stateFolder, 'phenix-fleet', 'watches', name)
      : resolve(terminal.cwd, options.state);
  const ended = terminal.stopRequested();
  const now = (): Date => new Date();
  const log = new WatchLog((text) => terminal.out(text), json, now);
  const notes = await WatchNotes.open(state, { folder, pattern: options.pattern });
  const rules: FolderWatchRules = {
    folder,
    pattern,
    template: await templateOf(options, folder, context),
    settleMs: options.settle * 1000,
    checksums: options.checksums,
    again: options.again === true,
  };
  const watch = await FolderWatch.open(rules, { watch: name, client, notes, log, ended }, now);
  if (options.once === true) return (await oneRound(watch, folder, log, ended)) ? exitCodes.ok : exitCodes.usage;
  const looks = `${options.pattern}, every ${String(options.poll)} s; its notes are in ${state}`;
  log.report({ event: 'watching', path: folder, reason: looks });
  while (!ended.aborted) {
    await oneRound(watch, folder, log, ended);
    await terminal.pause(options.poll * 1000, ended).catch((error: unknown) => {
      if (!ended.aborted) throw error;
    });
  }
  log.report({ event: 'ended', path: folder, reason: 'stop requested' });
  return exitCodes.ok;
};
