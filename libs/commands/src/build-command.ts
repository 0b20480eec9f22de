import type { StrategyValue } from '@fleet/contracts';
import type { CommandRequest, CommandResult, CommandToken, SelectedFile } from './command-types';
import { heavierFirst } from './scatterers';
import { selectFiles } from './select-files';
import { fillKeys, givenKeys, isRefused, type SetKey } from './strategy';

/** PHIL takes these as they are; anything else is quoted, or a blank, `#`, `;`, `{` or `$` would end or change the value. */
const plainValue = /^[\w./+,:()*@%~^<>=!?&|[\]-]+$/;

const quoted = (text: string): string => {
  if (!text.includes('"')) return `"${text.replaceAll('\\', '\\\\')}"`;
  return text.includes("'")
    ? `"${text.replace(/[\\"]/g, (character) => `\\${character}`)}"`
    : `'${text.replaceAll('\\', '\\\\')}'`;
};

const phil = (value: StrategyValue): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const text = String(value);
  return plainValue.test(text) ? text : quoted(text);
};

const slotToken = ({ slot, file, why }: SelectedFile): CommandToken => ({
  token: slot.flag === undefined ? file.path : `${slot.flag}=${phil(file.path)}`,
  source: 'slot',
  detail: `${slot.slot}: ${why}`,
});

/** A switch that stands for a text writes nothing when it is off. */
const keyTokens = ({ definition, value, source, why }: SetKey): readonly CommandToken[] => {
  const { key, parameter, text_of_true } = definition;
  if (text_of_true !== undefined && value !== true) return [];
  return [{ token: `${parameter}=${phil(text_of_true ?? value)}`, source, detail: `${key}: ${why}` }];
};

/** Stage 4: program, files in the order of the slots, defaults that nobody overrode, then the keys. */
const assemble = (
  request: CommandRequest,
  selected: readonly SelectedFile[],
  keys: readonly SetKey[],
): readonly CommandToken[] => {
  const { program } = request;
  const overridden = new Set(keys.map(({ definition }) => definition.parameter));
  return [
    { token: program.runs_as ?? program.name, source: 'program', detail: program.purpose },
    ...selected.map(slotToken),
    ...program.defaults
      .filter(({ parameter }) => !overridden.has(parameter) && !isRefused(parameter, request))
      .map(({ parameter, value, why }): CommandToken => ({
        token: `${parameter}=${phil(value)}`,
        source: 'default',
        detail: why,
      })),
    ...keys.flatMap(keyTokens),
  ];
};

/**
 * Builds the command of a program in four stages: files, strategy, automatic values, tokens. Every token comes from the program's
 * description; keys that the program does not know come back as `rejected`.
 */
export const buildCommand = (request: CommandRequest): CommandResult => {
  const { selected, facts, missing } = selectFiles(request);
  if (missing !== undefined) return { built: false, why: missing };
  const { set, rejected } = givenKeys(request, facts, selected);
  const { keys: given, adjusted } = heavierFirst(request.program, set);
  const keys = fillKeys(request, given, facts);
  const tokens = assemble(request, selected, keys);
  return {
    built: true,
    command: {
      tokens,
      argv: tokens.map(({ token }) => token),
      inputs: selected,
      strategy: Object.fromEntries(keys.map(({ definition, value }) => [definition.key, value])),
      rejected,
      adjusted,
    },
  };
};
