export { buildCommand } from './build-command';
export type {
  BuiltCommand,
  CommandRequest,
  CommandResult,
  CommandToken,
  KeySource,
  RejectedKey,
  SelectedFile,
} from './command-types';
