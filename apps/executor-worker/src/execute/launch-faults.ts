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
 * The backend refuses a run for something that only the facility can mend: a folder, or its settings. Bounded attempts give a settings
 * file that is just being changed its time; then the session ends and says what is wrong.
 */
export const isRefusal = ({ code }: Pick<Fault, 'code'>): boolean => refusals.has(code);

/** What programs run on does not answer, or cannot say yet what it has: the user is notified, and it is retried without an end. */
export const isTrouble = ({ code }: Pick<Fault, 'code'>): boolean => troubles.has(code);
