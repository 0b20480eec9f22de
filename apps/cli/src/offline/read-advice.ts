import { readAdvice, type AdviceReading } from '@fleet/advice';
import { longestAdvice, type ExperimentType } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import type { CommandContext } from '../commands/command-context';
import { exitCodes, type ExitCode } from '../exit-codes';
import { openRuleBook } from './open-knowledge';

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

const linesOf = (reading: AdviceReading): readonly string[] => {
  const { understood, conflicts, notFollowed, removed, stopsNow, stepByStep } = reading;
  const said = [
    ...understood.map(({ says, words }) => `${says}  (“${plainLine(words)}”)`),
    ...(stopsNow ? ['A running session ends after its cycle.'] : []),
    ...(stepByStep ? ['predict_and_build only predicts; the steps after it are made one by one.'] : []),
  ];
  return [
    said.length === 0 ? 'Nothing was understood: a session with this advice runs as one without.' : 'Understood',
    ...said.map((line) => `  ${line}`),
    ...section('Contradictions', conflicts),
    ...section(
      'Not followed',
      notFollowed.map(({ words, why }) => `“${plainLine(words)}”: ${why}`),
    ),
    ...section(
      'Not read',
      removed.map(({ words, why }) => `“${plainLine(words)}”: ${why}`),
    ),
  ];
};

const experiments: readonly string[] = ['xray', 'cryoem'] satisfies ExperimentType[];

const experimentOf = (given: string | undefined): ExperimentType | undefined => {
  if (given === undefined) return undefined;
  if (!experiments.includes(given))
    throw new CliError(exitCodes.usage, `--experiment ${JSON.stringify(given)} is neither xray nor cryoem.`);
  return given as ExperimentType;
};

/**
 * Shows what a text asks for, as the rules read it.
 * @throws CliError `usage` for an unknown experiment, or a text that is too long
 */
export const showReading = async (
  context: CommandContext,
  text: string,
  given: string | undefined,
): Promise<ExitCode> => {
  const experiment = experimentOf(given);
  if (text.length > longestAdvice)
    throw new CliError(
      exitCodes.usage,
      `The advice has ${String(text.length)} characters; at most ${String(longestAdvice)} are read.`,
    );
  const reading = readAdvice(text, await openRuleBook(), experiment === undefined ? {} : { experiment });
  context.print(reading, () => linesOf(reading));
  return exitCodes.ok;
};
