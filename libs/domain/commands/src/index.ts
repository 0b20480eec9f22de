export { buildCommand } from './build-command';
export { submittedUses, usesAsDescribed, usesOfFiles } from './submitted-uses';
export { parameterTokens } from './phil-tokens';
export { compoundIn, problemWithCommand, problemWithLaunch } from './problem-with-command';
export type { BuiltCommand, CommandRequest, DecidedKey } from './command-types';
