import { isFault } from '@fleet/contracts/faults';
import { GemmiFileInspector } from '@fleet/file-inspection';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';

/**
 * Reads files on this machine. A missing reader is not a problem of a file: it ends the command.
 * @throws CliError with what must be installed
 */
export const offlineInspector = (python?: string): Pick<GemmiFileInspector, 'inspect'> => {
  const inspector = new GemmiFileInspector({}, python);
  return {
    inspect: (...parameters) =>
      inspector.inspect(...parameters).catch((error: unknown) => {
        throw isFault(error) && error.code === 'inspection.unavailable'
          ? new CliError(exitCodes.usage, error.message)
          : error;
      }),
  };
};
