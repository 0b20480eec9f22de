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
  /** The supervisor's public key; absent in claims of releases before there was one, and in a canceller's. */
  readonly key?: string;
  /** By which whoever knows the key sees that the supervisor itself noted the program. */
  readonly programSeal?: string;
}

/** `result.json` */
export interface ResultRecord {
  readonly schemaVersion: 1;
  readonly name: string;
  readonly startedAt: string;
  readonly ending: AttemptEnding;
  /** The supervisor's; absent in what an executor wrote. */
  readonly seal?: string;
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
        ...(spec.parameterFile === undefined ? [] : [[spec.parameterFile.name, spec.parameterFile.block]]),
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
  isObject(value) && Number.isInteger(value.pid) && Number(value.pid) >= 0 && Number.isFinite(value.startTime);

const isHost = (value: unknown): value is HostIdentity =>
  isObject(value) && typeof value.bootId === 'string' && typeof value.pidNamespace === 'string';

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';
const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** The value has these fields, each of its kind. */
const hasFields = (
  value: Record<string, unknown>,
  fields: Readonly<Record<string, (field: unknown) => boolean>>,
): boolean => Object.entries(fields).every(([name, isKind]) => isKind(value[name]));

const isText = (value: unknown): boolean => typeof value === 'string';

const runFields = {
  schemaVersion: (value: unknown) => value === 1,
  claimedBy: (value: unknown) => value === 'supervisor' || value === 'cancel',
  name: isText,
  specHash: isText,
  startedAt: isTime,
  host: isHost,
  supervisor: isIdentity,
  program: (value: unknown) => value === undefined || isIdentity(value),
  key: isTextOrAbsent,
  programSeal: isTextOrAbsent,
};

export const isRunRecord = (value: unknown): value is RunRecord => isObject(value) && hasFields(value, runFields);

/** Sentences of ours are shorter; what is longer was written by somebody else. */
const longestWords = 10_000;
const isWords = (value: unknown): boolean => typeof value === 'string' && value.length <= longestWords;
const isNumberOrAbsent = (value: unknown): boolean => value === undefined || Number.isFinite(value);

const endingFields = {
  kind: (value: unknown) => endingKinds.some((kind) => kind === value),
  message: isWords,
  nextAction: (value: unknown) => value === undefined || isWords(value),
  signal: (value: unknown) => value === undefined || isWords(value),
  exitCode: isNumberOrAbsent,
  peakMemoryMiB: isNumberOrAbsent,
  infrastructure: (value: unknown) => typeof value === 'boolean',
  endedAt: isTime,
  durationMs: (value: unknown) => Number.isFinite(value),
};

const isEnding = (value: unknown): value is AttemptEnding => isObject(value) && hasFields(value, endingFields);

export const isResultRecord = (value: unknown): value is ResultRecord =>
  isObject(value) &&
  value.schemaVersion === 1 &&
  isTextOrAbsent(value.name) &&
  isTime(value.startedAt) &&
  isEnding(value.ending) &&
  isTextOrAbsent(value.seal);

export const isSpecRecord = (value: unknown): value is SpecRecord =>
  isObject(value) && value.schemaVersion === 1 && typeof value.hash === 'string' && isObject(value.spec);
