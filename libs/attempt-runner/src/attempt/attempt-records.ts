import { createHash } from 'node:crypto';
import { endingKinds, type AttemptEnding } from '@fleet/contracts';
import type { RunInput, RunSpec } from '@fleet/ports';
import type { HostIdentity, ProcessIdentity } from '../processes/process-table';

/** `spec.json` */
export interface SpecRecord {
  readonly schemaVersion: 1;
  readonly spec: RunSpec;
  readonly hash: string;
}

/** `run.json`: who holds the run. Whoever writes it first is the only one that may ever start it. */
export interface RunRecord {
  readonly schemaVersion: 1;
  /** A run that was cancelled before it started is claimed by the canceller, so that nobody starts it. */
  readonly claimedBy: 'supervisor' | 'cancel';
  readonly name: string;
  /** Empty where it is not known: that is no conflict. */
  readonly specHash: string;
  readonly host: HostIdentity;
  readonly supervisor: ProcessIdentity;
  readonly program?: ProcessIdentity;
  readonly startedAt: string;
}

/** `result.json` */
export interface ResultRecord {
  readonly schemaVersion: 1;
  readonly name: string;
  readonly startedAt: string;
  readonly ending: AttemptEnding;
}

/**
 * Two specs with the same hash are the same run. The session's folder is left out, for a work root may be mounted
 * elsewhere after a restart, and the owner, who is no part of what is run.
 */
export const specHash = (spec: RunSpec): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        spec.name,
        spec.attemptFolder,
        spec.program,
        spec.argv,
        spec.source,
        spec.resources.class,
        spec.limits.wallClock,
        spec.limits.memoryMiB,
        spec.limits.outputBytes,
        // Absent, as it was before there were any: what an older release has started is the same run still.
        ...(spec.inputs ?? []).map(inputParts),
      ]),
    )
    .digest('hex');

const inputParts = ({ argument, flag, path, name, pin }: RunInput): readonly unknown[] => [
  argument,
  flag,
  path,
  name,
  ...(pin === undefined ? [] : [pin.inode, pin.size, pin.modified, pin.sha256]),
];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isIdentity = (value: unknown): value is ProcessIdentity =>
  isObject(value) && Number.isInteger(value.pid) && Number.isFinite(value.startTime);

export const isRunRecord = (value: unknown): value is RunRecord =>
  isObject(value) &&
  value.schemaVersion === 1 &&
  (value.claimedBy === 'supervisor' || value.claimedBy === 'cancel') &&
  typeof value.specHash === 'string' &&
  typeof value.startedAt === 'string' &&
  isObject(value.host) &&
  isIdentity(value.supervisor) &&
  (value.program === undefined || isIdentity(value.program));

const isEnding = (value: unknown): value is AttemptEnding =>
  isObject(value) &&
  endingKinds.some((kind) => kind === value.kind) &&
  typeof value.message === 'string' &&
  typeof value.infrastructure === 'boolean' &&
  typeof value.endedAt === 'string' &&
  typeof value.durationMs === 'number';

export const isResultRecord = (value: unknown): value is ResultRecord =>
  isObject(value) && value.schemaVersion === 1 && typeof value.startedAt === 'string' && isEnding(value.ending);

export const isSpecRecord = (value: unknown): value is SpecRecord =>
  isObject(value) && value.schemaVersion === 1 && typeof value.hash === 'string' && isObject(value.spec);
