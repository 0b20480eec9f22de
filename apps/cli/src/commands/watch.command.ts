import type { Command } from 'commander';
import type { Verbosity } from '@fleet/contracts';
import { watchSession } from '../watch/watch-session';
import type { Connect } from './command-context';

interface WatchCommandOptions {
  readonly detail?: boolean;
  readonly quiet?: boolean;
}

const verbosityOf = ({ detail, quiet }: WatchCommandOptions): Verbosity => {
  if (detail === true) return 'verbose';
  return quiet === true ? 'quiet' : 'normal';
};

export const addWatch = (program: Command, connect: Connect): void => {
  const command = program
    .command('watch')
    .summary('show what happens until the session has ended')
    .description(
      'Shows each cycle: state, decision and why, command, metrics with their trend, files. On a terminal the running program has a line of its own. ' +
        'Goes on by itself when the gateway restarts; Ctrl-C leaves the session running. With --json: one event per line.',
    )
    .argument('<id>', 'the session')
    .option('--detail', 'everything, with its data')
    .option('--quiet', 'cycles, errors and the end only')
    .addHelpText('after', '\nExample:\n  phx watch 01jd7v9s6m2x4k8q0w5c3b1n7r');
  connect<WatchCommandOptions>(command, ({ client, json, colors, terminal }, [id = ''], options) =>
    watchSession(client, id, { json, colors, verbosity: verbosityOf(options) }, terminal),
  );
};
