export { buildCommand } from './build-command';
export { submittedUses, usesAsDescribed, usesOfFiles } from './submitted-uses';
export { parameterTokens } from './phil-tokens';
export { compoundIn, problemWithCommand, problemWithLaunch } from './problem-with-command';
export type {
  BuiltCommand,
  CommandRequest,
  CommandResult,
  CommandToken,
  DecidedKey,
  KeySource,
  RejectedKey,
  SelectedFile,
} from './command-types';
