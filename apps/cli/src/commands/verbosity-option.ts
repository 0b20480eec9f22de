import { Option } from 'commander';
import type { Verbosity } from '@fleet/contracts';

/** How much of a session's events is shown (seed 000, "Verbosity Levels"). */
const verbosities: readonly Verbosity[] = ['quiet', 'normal', 'verbose'];

export const verbosityOption = (): Option =>
  new Option(
    '--verbosity <level>',
    'quiet: cycles, errors, the end; normal: decisions and metrics too; verbose: everything, with its data',
  )
    .choices(verbosities)
    .default('normal' satisfies Verbosity);
