import { readAdvice } from '@fleet/advice';
import { longestAdvice } from '@fleet/contracts/guidance';
import { experimentTypes, type ExperimentType } from '@fleet/contracts/sessions';
import { readingLines } from '@fleet/session-report';
import { CliError } from '../cli-error';
import type { CommandContext } from '../command-context';
import { exitCodes, type ExitCode } from '../exit-codes';
import { openRuleBook } from './open-knowledge';

const experimentOf = (given: string | undefined): ExperimentType | undefined => {
  if (given === undefined) return undefined;
  const found = experimentTypes.find((type) => type === given);
  if (found === undefined)
    throw new CliError(exitCodes.usage, `--experiment ${JSON.stringify(given)} is neither xray nor cryoem.`);
  return found;
};

/**
 * Shows how the rules read an advice text.
 * @throws CliError `usage` for an unknown experiment, or a text that is too long
 */
export const showReading = (context: CommandContext, text: string, given: string | undefined): ExitCode => {
  const experiment = experimentOf(given);
  if (text.length > longestAdvice)
    throw new CliError(
      exitCodes.usage,
      `The advice has ${String(text.length)} characters; at most ${String(longestAdvice)} are read.`,
    );
  const reading = readAdvice(text, openRuleBook(context.terminal), experiment === undefined ? {} : { experiment });
  context.print(reading, () => readingLines(reading));
  return exitCodes.ok;
};
