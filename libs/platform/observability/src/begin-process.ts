import { isConfigError, loadConfig, LogConfig } from '@fleet/config';
import { endOnUnhandled } from './end-of-process';
import { FleetLogger } from './fleet-logger';

/** What a service makes is its user's to write, its group's to read, and nobody else's. */
const privateUmask = 0o027;

/**
 * The first thing that every service does. Gives its logger, as the environment wants it; with a bad environment the default one, for the
 * mistakes are reported by the application. From here on
 * - nothing that is written to standard output or standard error, by whomever, ends the process when it cannot be written;
 * - an error that nobody handles does;
 * - files and folders are made without any right for others, whatever the umask was; a stricter one stays.
 */
export const beginProcess = (service: string): FleetLogger => {
  process.umask(process.umask(privateUmask) | privateUmask);
  surviveLostOutput();
  const logger = loggerFor(service);
  process.once('exit', () => {
    logger.finish();
  });
  endOnUnhandled(logger);
  return logger;
};

const loggerFor = (service: string): FleetLogger => {
  try {
    return new FleetLogger(loadConfig(LogConfig), service);
  } catch (error) {
    if (!isConfigError(error)) throw error;
    return new FleetLogger({ level: 'info', format: 'json' }, service);
  }
};

/** What others write (Node's warnings, a package) goes through these streams; an error of theirs that nobody hears would end the process. */
const surviveLostOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};
