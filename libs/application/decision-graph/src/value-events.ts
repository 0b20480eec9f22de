import type { BuiltCommand, DecidedKey } from '@fleet/commands';
import type { SessionEvent } from '@fleet/contracts/sessions';
import { baseName } from '@fleet/files';
import type { DecisionInput } from './decision-types';
import { eventOf } from './event-of';

/** Why a later attempt may override the submitter (phenix-agent.md#directives). */
const correction = '; on a later try the value of the decision counts, because it may correct a slip';

const sentenceOf = (program: string, { key, value, source, why, overruled }: DecidedKey): string => {
  const others = overruled.map((other) => `${String(other.value)} (${other.why})`);
  const instead = others.length === 0 ? '' : `, not ${others.join(' or ')}`;
  const corrects = source === 'strategy' && overruled.some((other) => other.source === 'directive');
  return `${program}: ${key} is ${String(value)}, ${why}${instead}${corrects ? correction : ''}`;
};

/** The source of the values of a command, and which value overrode another. */
export const valueEvents = (
  input: DecisionInput,
  program: string,
  { decided }: BuiltCommand,
): readonly SessionEvent[] =>
  decided.map((one) =>
    eventOf(input, one.source === 'directive' ? 'directive_applied' : 'program_modified', sentenceOf(program, one), {
      program,
      key: one.key,
      value: one.value,
      source: one.source,
    }),
  );

/** Files that are used because the submitter prefers them. */
export const preferenceEvents = (
  input: DecisionInput,
  program: string,
  { inputs }: BuiltCommand,
): readonly SessionEvent[] =>
  inputs
    .filter(({ isRequested }) => isRequested === true)
    .map(({ slot, file }) =>
      eventOf(
        input,
        'directive_applied',
        `${program}: its ${slot.slot} is ${baseName(file.path)}, as the submitter asked`,
        {
          program,
          slot: slot.slot,
          path: file.path,
        },
      ),
    );
