import { createHash } from 'node:crypto';
import { runSpecSchema, type RunInput, type RunSpec } from '@fleet/contracts/runs';
import {
  choice,
  count,
  exactly,
  isDescribed,
  number,
  record,
  text,
  time,
  type Described,
} from '@fleet/contracts/schema';
import { endingSchema } from '@fleet/contracts/sessions';

/** `spec.json`; the hash shows that the spec is the requested one. */
const specRecordSchema = record({ schemaVersion: exactly(1), spec: runSpecSchema, hash: text() });
export type SpecRecord = Described<typeof specRecordSchema>;

const processIdentity = record({ pid: count(), startTime: number() });

/** `run.json`: the claim of a run. Only the supervisor that writes it first may ever start the run. */
const runRecordSchema = record(
  {
    schemaVersion: exactly(1),
    claimedBy: choice(
      ['supervisor', 'cancel'],
      'a run that was cancelled before it started is claimed by the canceller, so that no supervisor starts it',
    ),
    name: text(),
    specHash: text('empty where it is not known: that is not a conflict'),
    host: record({ bootId: text(), pidNamespace: text() }),
    supervisor: processIdentity,
    startedAt: time(),
  },
  {
    program: processIdentity,
    key: text("the supervisor's public key; absent in claims of releases before there was one, and in a canceller's"),
    programSeal: text('proves to a holder of the key that the supervisor itself noted the program'),
  },
);
export type RunRecord = Described<typeof runRecordSchema>;

/** `result.json` */
const resultRecordSchema = record(
  { schemaVersion: exactly(1), name: text(), startedAt: time(), ending: endingSchema },
  { seal: text("the supervisor's; absent in what an executor wrote") },
);
export type ResultRecord = Described<typeof resultRecordSchema>;

/**
 * Two specs with the same hash are the same run. Excluded are the session's folder, because the work root may be
 * mounted elsewhere after a restart, and the owner, which does not affect the run.
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
        // Absent in older releases: a run that one of them started keeps its hash.
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

export const isRunRecord = (value: unknown): value is RunRecord => isDescribed(runRecordSchema, value);
export const isResultRecord = (value: unknown): value is ResultRecord => isDescribed(resultRecordSchema, value);
export const isSpecRecord = (value: unknown): value is SpecRecord => isDescribed(specRecordSchema, value);
