import { InvalidArgumentError, Option, type Command } from 'commander';
import { checksumRules } from '../watch-folder/checksum-rules';
import type * as WatchFolder from '../watch-folder/watch-folder';
import type { WatchFolderOptions } from '../watch-folder/watch-folder';
import type { Action, Connect } from '../command-context';
import { collect, priorityOption, withInstructions } from '../read-options';

// Loaded on demand: no other command searches folders.
const loadWatchFolder = () => module.require('../watch-folder/watch-folder') as typeof WatchFolder;

const watch: Action<WatchFolderOptions> = (context, [folder = ''], options) =>
  loadWatchFolder().watchFolder(context, folder, options);

const secondsFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const seconds = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
    if (seconds >= least && seconds <= most) return seconds;
    throw new InvalidArgumentError(`It must be a number of seconds from ${String(least)} to ${String(most)}.`);
  };

const readName = (text: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be letters, digits, ".", "_" and "-", at most 64.');
};

export const addWatchFolder = (program: Command, connect: Connect): void => {
  const command = withInstructions(program.command('watch-folder'))
    .summary('submit datasets as they appear below a folder')
    .description(
      'Finds files that match a pattern, waits until they are unchanged, and submits each once, even after crashes and with ' +
        'several watchers. While the gateway is unavailable, datasets are recorded and submitted later. SIGTERM ends it. See docs/acquisition.md.',
    )
    .argument('<folder>', 'folder to watch; the gateway must see the same paths')
    .requiredOption('--pattern <pattern>', 'pattern of the files, relative to the folder, such as {crystal}/final.mtz')
    .option(
      '--file <path>',
      'a file for every dataset, after its own files; may be repeated and contain {variables}',
      collect,
      [],
    )
    .option('--proposal <name>', 'proposal of the data; may contain {variables}')
    .option('--beamline <name>', 'beamline or microscope; may contain {variables}')
    .option('--title <text>', 'title of each session; may contain {variables}')
    .addOption(priorityOption())
    .option('--settle <seconds>', 'time for which files must be unchanged', secondsFrom(0, 86_400), 60)
    .option('--poll <seconds>', 'time between checks', secondsFrom(0.1, 3_600), 30)
    .addOption(
      new Option('--checksums <rule>', 'use of NAME.sha256 or SHA256SUMS beside a file')
        .choices([...checksumRules])
        .default('if-there'),
    )
    .option('--again', 'submit a file again if it changed since its submission')
    .option('--once', 'check once and exit, for cron; the settle time is measured between calls')
    .option('--name <name>', 'name of this watch; each name submits the same file once', readName)
    .option('--state <folder>', 'folder for the record of submitted files (default: in your home folder)')
    .addHelpText(
      'after',
      "\nExample:\n  phx watch-folder /data/visit/mx1234 --pattern '{crystal}/final.mtz' --file /data/visit/mx1234/protein.pdb --proposal mx1234",
    );
  connect<WatchFolderOptions & Record<string, unknown>>(command, watch);
};
