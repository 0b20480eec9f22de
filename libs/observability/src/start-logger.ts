import { isConfigError, loadConfig, LogConfig } from '@fleet/config';
import { FleetLogger } from './fleet-logger';

/** The logger as the environment wants it; with a bad environment the default one, for the mistakes are reported by the application. */
export const startLogger = (service: string): FleetLogger => {
  try {
    return new FleetLogger(loadConfig(LogConfig), service);
  } catch (error) {
    if (!isConfigError(error)) throw error;
    return new FleetLogger({ level: 'info', format: 'json' }, service);
  }
};
