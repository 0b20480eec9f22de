import type { BuiltCommand } from '@fleet/commands';
import type { SessionEvent } from '@fleet/contracts/sessions';
import { baseName, type ScoredFile } from '@fleet/files';
import type { DecisionInput, Assessment } from '../decision-types';
import { eventOf } from '../event-of';
import type { DecisionNode } from '../state';

/** Number of files per category in an event: the best and its rivals. */
const maxScored = 3;

const pointsText = (points: number): string => String(Math.round(points * 10) / 10);

const scoredText = (category: string, { file, score, parts }: ScoredFile): string => {
  const scores = parts.map(({ name, points }) => `${name} ${pointsText(points)}`).join(', ');
  return `${baseName(file.path)} scores ${pointsText(score)} as ${category} (${scores})`;
};

/** For each category whose best file is used in the command: its score and those of its rivals. */
const scoreEvents = (
  input: DecisionInput,
  { described: { files } }: Assessment,
  { inputs }: BuiltCommand,
): readonly SessionEvent[] => {
  const given = new Set(inputs.map(({ file }) => file));
  return [...files.best].flatMap(([category, best]) => {
    if (!given.has(best.file)) return [];
    const rivals = files.ranked.get(category)?.filter(({ file }) => file !== best.file) ?? [];
    return [best, ...rivals].slice(0, maxScored).map((one) =>
      eventOf(input, 'file_scored', scoredText(category, one), {
        category,
        path: one.file.path,
        score: one.score,
        stage: one.stage,
        parts: one.parts.map(({ name, points }) => ({ name, points })),
        best: one === best,
      }),
    );
  });
};

/** Reports the decision: the files with their reasons and the command, or the stop. */
export const output: DecisionNode = ({ input, draft: { stop, command, choice, assessment } }) => {
  if (stop !== undefined) return { events: [eventOf(input, 'stop_decision', stop.detail, { reason: stop.reason })] };
  if (command === undefined || choice === undefined) return {};
  const files = command.inputs.map(({ slot, file, why }) => ({ slot: slot.slot, path: file.path, why }));
  return {
    events: [
      ...(assessment === undefined ? [] : scoreEvents(input, assessment, command)),
      eventOf(input, 'files_selected', `${files.length} file(s) for ${choice.program}`, { files }),
      eventOf(input, 'command_built', command.argv.join(' '), {
        argv: command.argv,
        tokens: command.tokens.map(({ token, source, detail }) => ({ token, source, detail })),
      }),
    ],
  };
};
