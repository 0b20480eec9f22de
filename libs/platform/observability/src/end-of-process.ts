import { CONFIG_EXIT_CODE, isConfigError } from '@fleet/config';
import { isFault } from '@fleet/contracts/faults';
import type { FleetLogger } from './fleet-logger';

/** A promise that nobody awaits, or an error that nobody catches: the process is in an unknown state and ends; its work is woken elsewhere. */
export const endOnUnhandled = (logger: FleetLogger): void => {
  const end = (what: string) => (error: unknown) => {
    logger.fatal({ message: what, reason: String(error), stack: error instanceof Error ? error.stack : undefined });
    process.exit(1);
  };
  process.on('unhandledRejection', end('a rejected promise was not handled'));
  process.on('uncaughtException', end('an error was not caught'));
};

/** Faults that go away only when somebody changes the configuration, ours or that of Redis. */
const operatorsCodes: ReadonlySet<string> = new Set([
  'store.not_durable',
  'store.misconfigured',
  'store.other_installation',
]);

/** The start failed: says why, plainly where it is the operator's to mend, and ends the process. */
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
