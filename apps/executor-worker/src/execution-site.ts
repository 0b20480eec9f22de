import type { ResourceLimits } from './execute/attempt-resources';
import type { SiteLimits } from '@fleet/fair-shares';
import type { ExecutionBackend } from '@fleet/ports';

export const EXECUTION_SITE = Symbol('ExecutionSite');
export const EXECUTION_BACKEND = Symbol('ExecutionBackend');

/** Where programs run, and its capacity. */
export interface ExecutionSite {
  readonly backend: ExecutionBackend;
  readonly resources: ResourceLimits;
  /** Over all executors; a backend may have additional limits. */
  readonly launches: SiteLimits;
  /** Milliseconds after which the backend has certainly refreshed its list of runs. */
  readonly relistMs: number;
}
