import type { ResourceLimits } from './execute/attempt-resources';
import type { SiteLimits } from '@fleet/fair-shares';
import type { ExecutionBackend } from '@fleet/ports';

export const EXECUTION_SITE = Symbol('ExecutionSite');
export const EXECUTION_BACKEND = Symbol('ExecutionBackend');

/** Where programs run, and what there is of it. */
export interface ExecutionSite {
  readonly backend: ExecutionBackend;
  readonly resources: ResourceLimits;
  /** Over all executors; a backend may have limits of its own besides. */
  readonly launches: SiteLimits;
  /** Milliseconds after which the backend has certainly renewed what it knows of its runs. */
  readonly relistMs: number;
}
