import { mistakesIn, record, shown, withDefaults, withoutMistakes } from '@fleet/contracts/schema';
import { settingsSchema, settingsRequestSchema, type SessionSettings } from '@fleet/contracts/service';
import type { ProblemList } from '@fleet/problems';

const reportUnknownPrograms = (settings: SessionSettings, known: readonly string[], problems: ProblemList): void => {
  // An empty list means that the knowledge base is unavailable, not that no program is known.
  if (known.length === 0) return;
  for (const program of settings.simulated_programs.filter((name) => !known.includes(name))) {
    const reason = `${shown(program)} is not a program of the agent`;
    problems.addUnknown('setting.range', 'settings.simulated_programs', reason, program, known);
  }
};

/**
 * Adds defaults and validates names, types and ranges.
 * @param knownPrograms names that `simulated_programs` may contain
 */
export const readSettings = (
  given: Readonly<Record<string, unknown>>,
  knownPrograms: readonly string[],
  problems: ProblemList,
): SessionSettings => {
  const mistakes = mistakesIn(record({}, { settings: settingsRequestSchema }), { settings: given });
  for (const mistake of mistakes) problems.addMistake(mistake);
  const { settings } = withoutMistakes({ settings: given }, mistakes) as { readonly settings: object };
  // Everything left was validated, and absent members have a default.
  const read = withDefaults(settingsSchema, settings) as SessionSettings;
  reportUnknownPrograms(read, knownPrograms, problems);
  return read;
};
