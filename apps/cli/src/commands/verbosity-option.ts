import { InvalidArgumentError, Option } from 'commander';
import type { Verbosity } from '@fleet/contracts/sessions';

/** How many of a session's events are shown (phenix-agent.md#verbosity). */
const verbosities: readonly Verbosity[] = ['quiet', 'normal', 'verbose'];

/** The agent treats `debug` as `verbose`. */
const readVerbosity = (text: string): Verbosity => {
  const found = verbosities.find((level) => level === (text === 'debug' ? 'verbose' : text));
  if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${verbosities.join(', ')}.`);
  return found;
};

export const verbosityOption = (): Option =>
  new Option(
    '--verbosity <level>',
    'quiet: cycles, errors and the end; normal: decisions and metrics too; verbose: everything, with data',
  )
    .choices(verbosities)
    .argParser(readVerbosity)
    .default('normal' satisfies Verbosity);
