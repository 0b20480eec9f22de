import type { Fault } from '@fleet/contracts/faults';

const refusals: ReadonlySet<string> = new Set([
  'run.folder_unusable',
  'run.source_unknown',
  'run.class_unknown',
  'run.identity_refused',
]);

const troubles: ReadonlySet<string> = new Set([
  'cluster.unreachable',
  'cluster.forbidden',
  'cluster.namespace_missing',
  'run.storage_failing',
  'programs.not_probed',
  'programs.probe_failed',
]);

/**
 * The backend rejects a run for a reason that only the facility can fix: a folder, or its settings. A limited number of
 * attempts gives a settings file time to be corrected; then the session ends with the reason.
 */
export const isRefusal = ({ code }: Pick<Fault, 'code'>): boolean => refusals.has(code);

/**
 * The backend does not respond, or does not know its runs yet: the user is notified, and it is retried without limit.
 */
export const isTrouble = ({ code }: Pick<Fault, 'code'>): boolean => troubles.has(code);
