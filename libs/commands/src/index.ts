export { buildCommand } from './build-command';
export type {
  BuiltCommand,
  CommandRequest,
  CommandResult,
  CommandToken,
  RejectedKey,
  SelectedFile,
} from './command-types';
