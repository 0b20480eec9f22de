import { baseName, freeSetFor } from '@fleet/files';
import type { CommandRequest, CommandResult, CommandToken, SelectedFile } from './command-types';
import { defaultToken, fileToken, parameterTokens } from './phil-tokens';
import { heavierFirst } from './scatterers';
import { selectFiles } from './select-files';
import { decidedKeys, fillKeys, givenKeys, isRefused, type SetKey } from './strategy';

const slotToken = ({ slot, file, why }: SelectedFile): CommandToken => ({
  token: fileToken(slot, file.path),
  source: 'slot',
  detail: `${slot.slot}: ${why}`,
});

const keyTokens = ({ definition, value, source, why }: SetKey): readonly CommandToken[] =>
  parameterTokens(definition, value).map((token) => ({ token, source, detail: `${definition.key}: ${why}` }));

/** Stage 4: program, files in the order of the slots, defaults that were not overridden, then the keys. */
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
      .map((one): CommandToken => ({ token: defaultToken(one), source: 'default', detail: one.why })),
    ...keys.flatMap(keyTokens),
  ];
};

/** The test set of the data is in a separate file, which the program cannot use. */
const ownFreeSet = ({ program, files }: CommandRequest, selected: readonly SelectedFile[]): readonly string[] => {
  if (program.own_free_set === undefined) return [];
  const { why } = program.own_free_set;
  return selected.flatMap(({ slot, file }) => {
    const apart = slot.slot === 'data' ? freeSetFor(file, files.all) : undefined;
    if (apart === undefined) return [];
    return [`the R-free flags of ${baseName(apart.path)} are not used, it draws a test set itself: ${why}`];
  });
};

/**
 * Builds the command of a program in four stages: files, strategy, automatic values, tokens. Every token comes from the program's
 * description; unknown keys are returned as `rejected`.
 */
export const buildCommand = (request: CommandRequest): CommandResult => {
  const { selected, facts, missing } = selectFiles(request);
  if (missing !== undefined) return { built: false, why: missing };
  const { set, rejected, overruled } = givenKeys(request, facts, selected);
  const { keys: given, adjusted } = heavierFirst(request.program, set);
  const { set: keys, rejected: unfit, overruled: unfilled } = fillKeys(request, given, facts);
  const tokens = assemble(request, selected, keys);
  return {
    built: true,
    command: {
      tokens,
      argv: tokens.map(({ token }) => token),
      inputs: selected,
      strategy: Object.fromEntries(keys.map(({ definition, value }) => [definition.key, value])),
      rejected: [...rejected, ...unfit],
      decided: decidedKeys(request.program, keys, [...overruled, ...unfilled]),
      adjusted: [...adjusted, ...ownFreeSet(request, selected)],
    },
  };
};
