import type { Command } from 'commander';
import type { Verbosity } from '@fleet/contracts/sessions';
import { watchSession } from '../watch/watch-session';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';
import { verbosityOption } from './verbosity-option';

export const addWatch = (program: Command, connect: Connect): void => {
  const command = program
    .command('watch')
    .summary('follow a session until it ends')
    .description(
      'Shows each cycle: state, decision and reason, command, metrics with their trend, files. On a terminal, a status line shows the running program. ' +
        'Reconnects when the gateway restarts; Ctrl-C leaves the session running. With --json: one event per line.',
    )
    .argument('<id>', sessionArgument)
    .addOption(verbosityOption())
    .addHelpText('after', '\nExample:\n  phx watch 01jd7v9s6m2x4k8q0w5c3b1n7r');
  const watch: Action<{ verbosity: Verbosity }> = ({ client, json, colors, terminal }, [id = ''], { verbosity }) =>
    watchSession(client, id, { json, colors, verbosity }, terminal);
  connect(command, onSession(watch));
};
