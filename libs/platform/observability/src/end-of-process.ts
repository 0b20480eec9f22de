import { CONFIG_EXIT_CODE, isConfigError } from '@fleet/config';
import { isFault } from '@fleet/contracts/faults';
import type { FleetLogger } from './fleet-logger';

/**
 * An unhandled rejection or exception: the process is in an unknown state and ends; its work is continued elsewhere.
 */
export const endOnUnhandled = (logger: FleetLogger): void => {
  const end = (what: string) => (error: unknown) => {
    logger.fatal({ message: what, reason: String(error), stack: error instanceof Error ? error.stack : undefined });
    process.exit(1);
  };
  process.on('unhandledRejection', end('a rejected promise was not handled'));
  process.on('uncaughtException', end('an error was not caught'));
};

/** Faults that persist until the configuration, ours or that of Redis, is changed. */
const operatorsCodes: ReadonlySet<string> = new Set([
  'store.not_durable',
  'store.misconfigured',
  'store.other_installation',
]);

/** The start failed: logs why, as a plain sentence if the operator must fix it, and ends the process. */
export const endOnFailure = (logger: FleetLogger, service: string, error: unknown): never => {
  if (isConfigError(error)) {
    process.stderr.write(`${service}: ${error.message}\n`);
    process.exit(CONFIG_EXIT_CODE);
  }
  if (isFault(error)) {
    process.stderr.write(`${service}: ${error.message}\n`);
    process.exit(operatorsCodes.has(error.code) ? CONFIG_EXIT_CODE : 1);
  }
  logger.fatal({
    message: `${service} cannot start`,
    reason: String(error),
    stack: error instanceof Error ? error.stack : undefined,
  });
  process.exit(1);
};
