import { join } from 'node:path';
import {
  choice,
  count,
  exactly,
  flag,
  isDescribed,
  list,
  number,
  record,
  text,
  type Described,
} from '@fleet/contracts/schema';
import { readJson, replaceFile } from '../attempt/exclusive-file';

/** The compiled `run-trial` of this package. */
export const runTrialScript = join(__dirname, '..', 'run-trial.js');

/** What a trial tests, besides its folder. */
export interface TrialPlan {
  /** Absolute; the only folder that it may write to. It contains `told`, a file with the trial's id. */
  readonly folder: string;
  /** Name of its record in that folder. */
  readonly name: string;
  /** Folders that programs read. */
  readonly reads: readonly string[];
  /** Endpoints to call. */
  readonly calls: readonly Call[];
  /** Host names to resolve. */
  readonly names: readonly string[];
}

/** A TCP connection to test. */
export interface Call {
  /** A name for users, for example `Redis`. */
  readonly what: string;
  readonly host: string;
  readonly port: number;
}

const callMade = record(
  {
    what: text(),
    host: text(),
    port: count(),
    result: choice(['connected', 'refused', 'closed'], '`refused`: it answered, and said no; `closed`: no answer'),
    obeys: flag('it does what anybody says: Redis without a password'),
  },
  {},
  'how a call went',
);
export type CallMade = Described<typeof callMade>;

const triedSchema = record({
  what: choice(['write', 'hard_links', 'rename', 'exclusive']),
  result: text("`ok`, or the system's word for what went wrong"),
});
export type Tried = Described<typeof triedSchema>;

/** The record of a trial. Times are by its own clock, in milliseconds since 1970. */
const trialRecordSchema = record(
  {
    schemaVersion: exactly(1),
    startedAt: number(),
    writtenAt: number(),
    host: text(),
    uid: count(),
    gid: count(),
    groups: list(count()),
    told: text("content of the executor's file; or the system's word for why it cannot be read"),
    work: list(triedSchema),
    unreadable: list(record({ folder: text(), result: text("the system's word") }), 'folders that cannot be read'),
    gpus: list(text(), 'one line for each GPU that a program can use'),
    calls: list(callMade),
    names: list(record({ name: text() }, { address: text('absent: not found') })),
  },
  {
    syncMs: number('milliseconds of a sync, the median of some; absent where it could not be tried'),
    serverAheadMs: number("milliseconds that the file server's clock is ahead of its own"),
  },
);
export type TrialRecord = Described<typeof trialRecordSchema>;

/** File with the trial's id that the executor writes. */
export const trialIdFile = 'told';

export const trialRecordOf = ({ folder, name }: Pick<TrialPlan, 'folder' | 'name'>): string => `${folder}/${name}.json`;

/** The arguments of `run-trial`. */
export const trialArguments = ({ folder, name, ...rest }: TrialPlan): string[] => [
  ...['--folder', folder, '--name', name],
  ...rest.reads.flatMap((path) => ['--read', path]),
  ...rest.calls.map((call) => `--call=${JSON.stringify(call)}`),
  ...rest.names.flatMap((host) => ['--resolve', host]),
];

/** Writes the record atomically. */
export const writeTrialRecord = (path: string, record: TrialRecord): void => replaceFile(path, record);

/** Undefined if there is no readable record. */
export const readTrialRecord = (path: string): TrialRecord | undefined => {
  const content = readJson(path);
  return content === undefined || content === 'damaged' ? undefined : trialRecordIn(content.value);
};

/** The record in some JSON, for example in a pod's termination message. */
export const trialRecordIn = (value: unknown): TrialRecord | undefined =>
  isDescribed(trialRecordSchema, value) ? value : undefined;
