import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { idempotencyKeyPattern, priorities, type Session, type Verbosity } from '@fleet/contracts';
import { guidanceSentences } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { isLostConnection } from '../client/gateway-client';
import { exitCodes } from '../exit-codes';
import { watchSession } from '../watch/watch-session';
import { submitterOf, type Action, type CommandContext, type Connect } from './command-context';
import {
  readAdvice,
  readDirectives,
  readSettings,
  withInstructions,
  type AdviceOptions,
  type DirectiveOptions,
  type SettingOptions,
} from './read-options';
import { verbosityOption } from './verbosity-option';

interface SubmitOptions extends AdviceOptions, DirectiveOptions, SettingOptions {
  readonly proposal?: string;
  readonly beamline?: string;
  readonly inputDirectory?: string;
  readonly title?: string;
  readonly submitter?: string;
  readonly priority?: string;
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
  readonly verbosity: Verbosity;
}

const bodyOf = async (files: readonly string[], options: SubmitOptions, context: CommandContext): Promise<object> => {
  const { terminal } = context;
  const { proposal, beamline, title, inputDirectory, priority, submitter = await submitterOf(context) } = options;
  if (files.length === 0 && inputDirectory === undefined)
    throw new CliError(exitCodes.usage, 'Give files, or a folder with --input-directory.');
  // Members that are undefined are not sent.
  return {
    files: files.length === 0 ? undefined : files.map((file) => resolve(terminal.cwd, file)),
    input_directory: inputDirectory === undefined ? undefined : resolve(terminal.cwd, inputDirectory),
    settings: readSettings(options.set),
    directives: await readDirectives(options, terminal.cwd),
    ...(await readAdvice(options, terminal.cwd)),
    submitter,
    proposal,
    beamline,
    title,
    priority,
  };
};

/** Milliseconds before a submission whose answer got lost is sent again. */
const resendMs = 500;

/** The key makes it safe to send a submission again: the first one may have arrived, and only its answer was lost. */
const send = async ({ client, terminal }: CommandContext, body: object, key: string): Promise<Session> => {
  const post = (): Promise<Session> =>
    client.json('/v1/sessions', { method: 'POST', body, headers: { 'idempotency-key': key } });
  try {
    return await post();
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    await pause(resendMs, undefined, { signal: terminal.interrupted });
    return post();
  }
};

const submit: Action<SubmitOptions> = async (context, files, options) => {
  const { client, terminal } = context;
  const body = await bodyOf(files, options, context);
  const session = await send(context, body, options.idempotencyKey ?? crypto.randomUUID());
  if (options.watch !== true) {
    context.print(session, () => [
      session.id,
      ...(session.guidance === undefined ? [] : guidanceSentences(session.guidance)),
      `Watch it with: phx watch ${session.id}`,
    ]);
    return exitCodes.ok;
  }
  const { json, colors } = context;
  return watchSession(client, session.id, { json, colors, verbosity: options.verbosity }, terminal);
};

export const readKey = (text: string): string => {
  if (idempotencyKeyPattern.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 200 visible ASCII characters.');
};

export const addSubmit = (program: Command, connect: Connect): void => {
  const command = withInstructions(program.command('submit'))
    .summary('start a session from files')
    .description(
      'Starts a session. Files must be on the gateway\'s machine, below its data folders; put names that begin with "-" after "--".',
    )
    .argument('[files...]', 'reflections or maps, models, sequences, restraints')
    .option(
      '--input-directory <folder>',
      'a folder: its data, models, sequences and dictionaries, and its README as advice',
    )
    .option('--proposal <name>', 'the proposal that the data belong to')
    .option('--beamline <name>', 'beamline or microscope')
    .option('--title <text>', 'a title, for people')
    .option('--submitter <name>', 'the submitter (default: your user name, or the owner of your key)')
    .addOption(
      new Option('--priority <class>', 'what goes first when slots are scarce (default: standard)').choices([
        ...priorities,
      ]),
    )
    .option(
      '--idempotency-key <key>',
      'repeating a call with the same key and files returns the same session (default: a new key)',
      readKey,
    )
    .option('--watch', 'follow the session; the exit code says how it ended')
    .addOption(verbosityOption())
    .addHelpText(
      'after',
      '\nExample:\n  phx submit data.mtz model.pdb LIG.cif --proposal mx1234 --set max_cycles=10 --watch',
    );
  connect<SubmitOptions>(command, submit);
};
