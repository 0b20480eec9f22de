import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { settingDefinitions, type Session, type SettingDefinition } from '@fleet/contracts';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import type { Terminal } from '../terminal';
import { watchSession } from '../watch/watch-session';
import type { Action, Connect } from './command-context';

interface SubmitOptions {
  readonly advice?: string;
  readonly adviceFile?: string;
  readonly set: readonly string[];
  readonly proposal?: string;
  readonly beamline?: string;
  readonly title?: string;
  readonly submitter?: string;
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
}

const numberOf = (text: string): unknown => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text);
const truth: Readonly<Record<string, boolean>> = { true: true, false: false };

/** How each type of setting is read; what does not fit goes as it is, and the gateway says what is allowed. */
const readers: Readonly<Record<SettingDefinition['type'], (text: string) => unknown>> = {
  integer: numberOf,
  number: numberOf,
  boolean: (text) => truth[text] ?? text,
  choice: (text) => text,
  list: (text) => (text === '' ? [] : text.split(',').map((entry) => entry.trim())),
};

const valueOf = (definition: SettingDefinition | undefined, text: string): unknown =>
  definition === undefined ? text : readers[definition.type](text);

/** @throws CliError `usage` for an entry without `=` or without a name */
const readSettings = (entries: readonly string[]): Record<string, unknown> => {
  const definitions: Readonly<Record<string, SettingDefinition>> = settingDefinitions;
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(entry) ?? [];
      if (name === undefined || value === undefined) {
        throw new CliError(
          exitCodes.usage,
          `--set ${JSON.stringify(entry)} is not KEY=VALUE; phx settings lists the keys.`,
        );
      }
      return [name, valueOf(definitions[name], value)];
    }),
  );
};

const readAdvice = async ({ advice, adviceFile }: SubmitOptions, cwd: string): Promise<string | undefined> => {
  if (adviceFile === undefined) return advice;
  if (advice !== undefined) throw new CliError(exitCodes.usage, 'Give --advice or --advice-file, not both.');
  return readFile(resolve(cwd, adviceFile), 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(exitCodes.usage, `--advice-file cannot be read: ${reason}`);
  });
};

const bodyOf = async (files: readonly string[], options: SubmitOptions, terminal: Terminal): Promise<object> => {
  const { proposal, beamline, title, submitter = terminal.user } = options;
  // Members that are undefined are not sent.
  return {
    files: files.map((file) => resolve(terminal.cwd, file)),
    settings: readSettings(options.set),
    advice: await readAdvice(options, terminal.cwd),
    submitter,
    proposal,
    beamline,
    title,
  };
};

const submit: Action<SubmitOptions> = async (context, files, options) => {
  const { client, terminal } = context;
  const body = await bodyOf(files, options, terminal);
  const headers = options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey };
  const session = await client.json<Session>('/v1/sessions', { method: 'POST', body, headers });
  if (options.watch !== true) {
    context.print(session, () => [session.id, `Watch it with: phx watch ${session.id}`]);
    return exitCodes.ok;
  }
  if (!context.json) terminal.out(`Session ${session.id}\n`);
  const { json, colors } = context;
  return watchSession(client, session.id, { json, colors, verbosity: 'normal' }, terminal);
};

export const addSubmit = (program: Command, connect: Connect): void => {
  const command = program
    .command('submit')
    .summary('start a session from files')
    .description(
      'Starts a session. Files lie on the gateway\'s machine, below its data folders; names that begin with "-" go after "--".',
    )
    .argument('<files...>', 'reflections or maps, models, sequences, restraints')
    .option('--advice <text>', 'what the agent should know or do')
    .option('--advice-file <file>', 'the same, from a file')
    .option('--set <key=value>', 'a setting; may be repeated (see: phx settings)', collect, [])
    .option('--proposal <name>', 'proposal the data belong to')
    .option('--beamline <name>', 'beamline or microscope')
    .option('--title <text>', 'a name for people')
    .option('--submitter <name>', 'who submits (default: your user name)')
    .option('--idempotency-key <key>', 'the same key and files give the same session, however often you call')
    .option('--watch', 'stay and show what happens; the exit code tells how it ended')
    .addHelpText(
      'after',
      '\nExample:\n  phx submit data.mtz model.pdb LIG.cif --proposal mx1234 --set max_cycles=10 --watch',
    );
  connect<SubmitOptions>(command, submit);
};

const collect = (value: string, earlier: readonly string[]): readonly string[] => [...earlier, value];
