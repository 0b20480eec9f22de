import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { idempotencyKeyPattern } from '@fleet/contracts/service';
import type { SessionView, Verbosity } from '@fleet/contracts/sessions';
import { fileUseText, guidanceSentences, similarSentence } from '@fleet/session-report';
import { CliError, isCliError } from '../cli-error';
import { isLostConnection } from '../client/gateway-client';
import { sendSubmission } from '../client/send-submission';
import { typedBody } from '../client/typed-body';
import { exitCodes, type ExitCode } from '../exit-codes';
import { watchSession } from '../watch/watch-session';
import { submitterOf, type Action, type CommandContext, type Connect } from '../command-context';
import { announcing } from './maintenance-notice';
import {
  priorityOption,
  readInstructions,
  readLigands,
  withInstructions,
  withLigands,
  type InstructionOptions,
  type LigandOptions,
} from '../read-options';
import { verbosityOption } from './verbosity-option';

interface SubmitOptions extends InstructionOptions, LigandOptions {
  readonly proposal?: string;
  readonly beamline?: string;
  readonly inputDirectory?: string;
  readonly title?: string;
  readonly sample?: string;
  readonly submitter?: string;
  readonly priority?: string;
  readonly idempotencyKey?: string;
  readonly strict?: boolean;
  readonly watch?: boolean;
  readonly verbosity: Verbosity;
}

const bodyOf = async (files: readonly string[], options: SubmitOptions, context: CommandContext): Promise<object> => {
  const { terminal } = context;
  const {
    proposal,
    beamline,
    title,
    sample,
    inputDirectory,
    priority,
    strict,
    submitter = await submitterOf(context),
  } = options;
  if (files.length === 0 && inputDirectory === undefined)
    throw new CliError(exitCodes.usage, 'Give files, or a folder with --input-directory.');
  // Undefined members are not sent.
  return {
    files: files.length === 0 ? undefined : files.map((file) => resolve(terminal.cwd, file)),
    input_directory: inputDirectory === undefined ? undefined : resolve(terminal.cwd, inputDirectory),
    ligands: readLigands(options),
    ...(await readInstructions(options, terminal.cwd)),
    submitter,
    proposal,
    beamline,
    title,
    sample,
    priority,
    strict,
  };
};

/** Sessions with the same data, if there are any. */
const similarLines = ({ similar = [] }: SessionView): readonly string[] =>
  similar.length === 0 ? [] : [similarSentence(similar)];

/** Error codes of a gateway that is too busy to inspect a submission. */
const busy: ReadonlySet<unknown> = new Set(['inspection.busy', 'decisions.busy']);

/**
 * Warns of unused files before anything starts. If the gateway is too busy or its response gets lost, that is reported,
 * and the submission continues: it is safe to repeat, and reports the same afterwards.
 */
const warnOfUnused = async ({ client, terminal }: CommandContext, body: object): Promise<void> => {
  const given = { body: typedBody<'POST /v1/submissions/preview'>(body) };
  try {
    const { files } = await client.json('POST /v1/submissions/preview', given);
    for (const { use } of files) if (use?.used === false) terminal.err(`phx: WARNING: ${fileUseText(use)}\n`);
  } catch (error) {
    if (!isCliError(error) || !(isLostConnection(error) || busy.has(error.document['code']))) throw error;
    terminal.err(`phx: cannot preview which files are used: ${error.message}\n`);
  }
};

const printStarted = (context: CommandContext, session: SessionView): ExitCode => {
  context.print(session, () => [
    session.id,
    ...similarLines(session),
    ...(session.fileUses ?? []).map(fileUseText),
    ...(session.guidance === undefined ? [] : guidanceSentences(session.guidance)),
    `Watch it with: phx watch ${session.id}`,
  ]);
  return exitCodes.ok;
};

const submit: Action<SubmitOptions> = async (context, files, options) => {
  const { client, terminal } = context;
  const body = await bodyOf(files, options, context);
  const key = options.idempotencyKey ?? crypto.randomUUID();
  await warnOfUnused(context, body);
  const session = await sendSubmission(client, { body, key });
  if (options.watch !== true) return printStarted(context, session);
  const { json, colors } = context;
  if (!json) for (const line of similarLines(session)) terminal.out(`${line}\n`);
  return watchSession(client, session.id, { json, colors, verbosity: options.verbosity }, terminal);
};

export const readKey = (text: string): string => {
  if (idempotencyKeyPattern.test(text)) return text;
  throw new InvalidArgumentError('Expected 1 to 200 visible ASCII characters.');
};

export const addSubmit = (program: Command, connect: Connect): void => {
  const command = withInstructions(withLigands(program.command('submit')))
    .summary('start a session from files')
    .description(
      'Starts a session. Files must be on the gateway\'s machine, below its data folders. Put names that begin with "-" after "--".',
    )
    .argument('[files...]', 'reflections or maps, models, sequences, restraints')
    .option(
      '--input-directory <folder>',
      'a folder: its data, models, sequences and dictionaries, and its README as advice',
    )
    .option('--proposal <name>', 'proposal of the data')
    .option('--beamline <name>', 'beamline or microscope')
    .option('--title <text>', 'title of the session')
    .option('--sample <name>', 'name of the sample')
    .option('--submitter <name>', 'submitter (default: your user name, or the owner of your key)')
    .addOption(priorityOption())
    .option(
      '--idempotency-key <key>',
      'repeating a call with the same key and files returns the same session (default: a new key)',
      readKey,
    )
    .option('--strict', 'reject the submission if a file would not be used')
    .option('--watch', 'follow the session; the exit code shows how it ended')
    .addOption(verbosityOption())
    .addHelpText(
      'after',
      '\nExample:\n  phx submit data.mtz model.pdb LIG.cif --proposal mx1234 --set max_cycles=10 --watch' +
        '\n  phx submit data.mtz model.pdb --smiles "CN1C(=O)C=Cc2ccccc12 LIG"',
    );
  connect<SubmitOptions>(command, announcing(submit));
};
