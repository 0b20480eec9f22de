import { join } from 'node:path';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import type { AttemptFolders } from '../attempt/attempt-files-of';
import type { ForcedEnding, Outcome } from '../attempt/ending-words';
import { withCompoundFile } from '../inputs/compound-file';
import { withJoinedInputs } from '../inputs/joined-inputs';
import { withParameterFile } from '../inputs/parameter-file';
import { stagedCommand, stageInputs } from '../inputs/stage-inputs';
import { StagingWatch } from './staging-watch';

export type StagedRun =
  /** `wallClock`: the remaining seconds of the limit. */
  | { readonly state: 'ready'; readonly argv: readonly string[]; readonly wallClock: number }
  | { readonly state: 'ended'; readonly outcome: Outcome }
  /** Another process has closed the attempt. */
  | { readonly state: 'lost' };

/** Copies a run's input files into its folder, and returns the command that uses them. */
export const stageRun = async (
  spec: RunSpec,
  folders: AttemptFolders,
  forcedEnding: () => ForcedEnding | undefined,
): Promise<StagedRun> => {
  const { program, argv, inputs = [], compoundFile, limits } = spec;
  if (inputs.length === 0 && compoundFile === undefined) return { state: 'ready', argv, wallClock: limits.wallClock };
  const folder = join(folders.running, attemptFiles.inputs);
  const watch = new StagingWatch({ folders, spec, forcedEnding });
  watch.start();
  try {
    const trouble = await stageInputs({ program, inputs, folder, isStopped: () => watch.isStopped() });
    if (watch.lost) return { state: 'lost' };
    const outcome = watch.ending() ?? trouble;
    if (outcome !== undefined) return { state: 'ended', outcome };
    // First, because joined or dropped inputs shift the arguments behind them.
    const named = withCompoundFile(stagedCommand(argv, inputs, folder), compoundFile, folder);
    const command = withJoinedInputs(named, inputs, folder);
    const staged = withParameterFile(command, spec.parameterFile, folder);
    return { state: 'ready', argv: staged, wallClock: limits.wallClock - watch.elapsed };
  } finally {
    watch.stop();
  }
};
