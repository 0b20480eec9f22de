import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { priorities } from '@fleet/contracts/launches';
import { settingDefinitions, type SettingDefinition } from '@fleet/contracts/service';
import { ligandOfLine, type RequestedLigand } from '@fleet/contracts/sessions';
import { CliError, unreadable } from './cli-error';
import { exitCodes } from './exit-codes';

export interface SettingOptions {
  /** `key=value`, as given. */
  readonly set: readonly string[];
}

const adviceFileOption = ['--advice-file <file>', 'file with the advice'] as const;
const directivesOption = [
  '--directives <file>',
  'structured directives, as YAML or JSON (see docs/directives.md)',
] as const;

/** Parses an option: a whole number in this range. */
export const numberFrom =
  (least: number, most: number, what = 'number') =>
  (text: string): number => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a ${what} from ${String(least)} to ${String(most)}.`);
  };

/** Parses an option: minutes, at most a day. */
export const minutes = numberFrom(0, 1440, 'number of minutes');

/** The option for a priority. */
export const priorityOption = (what = 'priority when slots are scarce (default: standard)'): Option =>
  new Option('--priority <class>', what).choices(priorities);

/** Adds the options for guidance. */
export const withGuidance = (command: Command): Command =>
  command.option(...adviceFileOption).option(...directivesOption);

/** Adds the options with instructions for a session. */
export const withInstructions = (command: Command): Command =>
  command
    .option('--advice <text>', 'guidance in plain words (phx advice preview shows how it is understood)')
    .option(...adviceFileOption)
    .option('--set <key=value>', 'a setting; may be repeated (see phx settings)', collect, [])
    .option(...directivesOption);

export interface LigandOptions {
  /** Codes. */
  readonly ligand: readonly string[];
  /** As lines of a `.smi` file. */
  readonly smiles: readonly string[];
}

/**
 * Adds the options for ligands without a file. A code and a SMILES look alike (`CCO` is both), so each has its own
 * option.
 */
export const withLigands = (command: Command): Command =>
  command
    .option(
      '--ligand <code>',
      'ligand by its code in the Chemical Component Dictionary, such as NAG; may be repeated',
      collect,
      [],
    )
    .option(
      '--smiles <smiles>',
      'ligand as SMILES in quotes, optionally with a space and an id: "CCO LIG"; may be repeated',
      collect,
      [],
    );

/** Undefined if none is given; the gateway validates them. */
export const readLigands = ({ ligand, smiles }: LigandOptions): readonly RequestedLigand[] | undefined => {
  const ligands = [...ligand.map((code) => ({ code })), ...smiles.map(ligandOfLine)];
  return ligands.length === 0 ? undefined : ligands;
};

export const collect = (value: string, earlier: readonly string[]): readonly string[] => [...earlier, value];

const numberOf = (text: string): unknown => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text);
const truth: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** How each type of setting is parsed; an invalid value is sent as it is, and the gateway reports what is allowed. */
const readers: Readonly<Record<SettingDefinition['type'], (text: string) => unknown>> = {
  integer: numberOf,
  number: numberOf,
  boolean: (text) => truth.get(text) ?? text,
  choice: (text) => text,
  list: (text) => (text === '' ? [] : text.split(',').map((entry) => entry.trim())),
};

const valueOf = (definition: SettingDefinition | undefined, text: string): unknown =>
  definition === undefined ? text : readers[definition.type](text);

/** @throws CliError `usage` for an entry without `=` or without a name, and for a repeated setting */
export const readSettings = (entries: readonly string[]): Record<string, unknown> => {
  const definitions: ReadonlyMap<string, SettingDefinition> = new Map(Object.entries(settingDefinitions));
  const given = new Set<string>();
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(entry) ?? [];
      if (name === undefined || value === undefined) {
        throw new CliError(
          exitCodes.usage,
          `--set ${JSON.stringify(entry)} is not KEY=VALUE. phx settings lists the keys.`,
        );
      }
      if (given.has(name)) throw new CliError(exitCodes.usage, `--set ${name} is given twice. Give it once.`);
      given.add(name);
      return [name, valueOf(definitions.get(name), value)];
    }),
  );
};

export interface AdviceOptions {
  readonly advice?: string;
  readonly adviceFile?: string;
}

/** @param option named in the message */
const readText = (option: string, file: string, cwd: string): Promise<string> =>
  readFile(resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw unreadable(`${option} ${file}`, error);
  });

/** Advice in the form of a request. */
interface GivenAdvice {
  readonly advice: string;
  /** Name of the file that contained it. */
  readonly advice_file?: string;
}

/** @throws CliError `usage` */
export const readAdvice = async (
  { advice, adviceFile }: AdviceOptions,
  cwd: string,
): Promise<GivenAdvice | undefined> => {
  if (adviceFile === undefined) return advice === undefined ? undefined : { advice };
  if (advice !== undefined) throw new CliError(exitCodes.usage, 'Give the advice or --advice-file, not both.');
  return { advice: await readText('--advice-file', adviceFile, cwd), advice_file: basename(adviceFile) };
};

export interface DirectiveOptions {
  readonly directives?: string;
}

/**
 * The content of the file, validated by the gateway.
 * @throws CliError `usage` for invalid YAML (which includes JSON)
 */
export const readYaml = async (option: string, file: string, cwd: string): Promise<unknown> => {
  const content = await readText(option, file, cwd);
  // Loaded on demand: few commands need it, and it would slow all of them down.
  const { load } = await import('js-yaml');
  try {
    return load(content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(exitCodes.usage, `${option} ${file} is neither YAML nor JSON: ${reason}`);
  }
};

/** Like `readYaml`; an empty file means no directives. */
export const readDirectives = async ({ directives: file }: DirectiveOptions, cwd: string): Promise<unknown> =>
  file === undefined ? undefined : ((await readYaml('--directives', file, cwd)) ?? {});

/** Options of `withInstructions`. */
export interface InstructionOptions extends AdviceOptions, DirectiveOptions, SettingOptions {}

/**
 * The instructions of a user as request members; undefined ones are not sent.
 * @throws CliError `usage`
 */
export const readInstructions = async (options: InstructionOptions, cwd: string): Promise<object> => ({
  settings: readSettings(options.set),
  directives: await readDirectives(options, cwd),
  ...(await readAdvice(options, cwd)),
});
