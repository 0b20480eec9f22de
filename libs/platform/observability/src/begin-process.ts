import { isConfigError, loadConfig, LogConfig } from '@fleet/config';
import { endOnUnhandled } from './end-of-process';
import { FleetLogger } from './fleet-logger';

/** Files of a service are writable by its user, readable by its group, and inaccessible to others. */
const privateUmask = 0o027;

/**
 * The first call of every service. Returns its logger as configured; with an invalid environment the default one,
 * because the application reports the problems. From here on
 * - a failed write to standard output or standard error, from any code, does not end the process;
 * - an unhandled error does;
 * - files and folders are created without permissions for others, whatever the umask was; a stricter one stays.
 */
export const beginProcess = (service: string): FleetLogger => {
  process.umask(process.umask(privateUmask) | privateUmask);
  surviveLostOutput();
  const logger = loggerFor(service);
  process.once('exit', () => logger.finish());
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

/** Other writers (Node's warnings, a package) use these streams; their unhandled errors would end the process. */
const surviveLostOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};
