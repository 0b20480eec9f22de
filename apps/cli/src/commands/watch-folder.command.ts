import { InvalidArgumentError, Option, type Command } from 'commander';
import { priorities } from '@fleet/contracts';
import { checksumRules } from '../watch-folder/checksum-rules';
import type * as WatchFolder from '../watch-folder/watch-folder';
import type { WatchFolderOptions } from '../watch-folder/watch-folder';
import type { Action, Connect } from './command-context';
import { collect, withInstructions } from './read-options';

// Loaded where it is run: no other call of phx looks through folders.
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
      'Looks for files that fit a pattern, waits until they have come to rest, and submits each once, whatever is killed meanwhile and however ' +
        'many watchers there are. While the gateway is away, it notes what is ready and submits it later. SIGTERM ends it. See docs/acquisition.md.',
    )
    .argument('<folder>', 'where to look; the gateway must see the same paths')
    .requiredOption('--pattern <pattern>', 'which files, below the folder, such as {crystal}/final.mtz')
    .option(
      '--file <path>',
      'a file that every dataset gets, behind its own; may be repeated, and name {variables}',
      collect,
      [],
    )
    .option('--proposal <name>', 'the proposal that the data belong to; may name {variables}')
    .option('--beamline <name>', 'beamline or microscope; may name {variables}')
    .option('--title <text>', 'a title for each; may name {variables}')
    .addOption(
      new Option('--priority <class>', 'what goes first when slots are scarce (default: standard)').choices([
        ...priorities,
      ]),
    )
    .option('--settle <seconds>', 'how long files must have stayed the same', secondsFrom(0, 86_400), 60)
    .option('--poll <seconds>', 'how often to look', secondsFrom(0.1, 3_600), 30)
    .addOption(
      new Option('--checksums <rule>', 'what to do with NAME.sha256 or SHA256SUMS beside a file')
        .choices([...checksumRules])
        .default('if-there'),
    )
    .option('--again', 'submit a file again that is another one since it was submitted')
    .option('--once', 'look once and end, for cron; the settle time is measured from call to call')
    .option('--name <name>', 'names this watch: the same file may be submitted once for each name', readName)
    .option('--state <folder>', 'where it notes what was submitted (default: in your own folder)')
    .addHelpText(
      'after',
      "\nExample:\n  phx watch-folder /data/visit/mx1234 --pattern '{crystal}/final.mtz' --file /data/visit/mx1234/protein.pdb --proposal mx1234",
    );
  connect<WatchFolderOptions & Record<string, unknown>>(command, watch);
};
