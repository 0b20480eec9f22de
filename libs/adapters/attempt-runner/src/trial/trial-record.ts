import { join } from 'node:path';
import { readJson, replaceFile } from '../attempt/exclusive-file';

/** The compiled `run-trial` of this package. */
export const runTrialScript = join(__dirname, '..', 'run-trial.js');

/** What a trial's process is to try, besides its folder. */
export interface TrialPlan {
  /** Absolute; the one folder that it may write to. It holds `told`, with the id of the trial in it. */
  readonly folder: string;
  /** Of its record in that folder. */
  readonly name: string;
  /** Folders that programs read. */
  readonly reads: readonly string[];
  /** What is called, to see whether it answers. */
  readonly calls: readonly Call[];
  /** Looked up by the name server. */
  readonly names: readonly string[];
}

/** A TCP connection that is tried. */
export interface Call {
  /** In words, for example `Redis`. */
  readonly what: string;
  readonly host: string;
  readonly port: number;
}

/** How a call went. `refused`: somebody answered, and said no; `closed`: nobody answered. */
export interface CallMade extends Call {
  readonly came: 'connected' | 'refused' | 'closed';
  /** It does what anybody says: Redis without a password. */
  readonly obeys: boolean;
}

/** `ok`, or the system's word for what went wrong. */
export interface Tried {
  readonly what: 'write' | 'hard_links' | 'rename' | 'exclusive';
  readonly came: string;
}

/** What a trial's process has seen. Times are its own, in milliseconds since 1970. */
export interface TrialRecord {
  readonly schemaVersion: 1;
  readonly startedAt: number;
  readonly writtenAt: number;
  readonly host: string;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  /** What stands in the file that the executor has left; or the system's word for why it cannot be read. */
  readonly told: string;
  readonly work: readonly Tried[];
  /** Milliseconds of a sync, the middle one of some; absent where it could not be tried. */
  readonly syncMs?: number;
  /** Milliseconds that the file server's clock is ahead of its own. */
  readonly serverAheadMs?: number;
  /** Folders that cannot be read, with the system's word. */
  readonly unreadable: readonly { readonly folder: string; readonly came: string }[];
  /** One line for each GPU that a program can use. */
  readonly gpus: readonly string[];
  readonly calls: readonly CallMade[];
  /** Undefined address: it is not found. */
  readonly names: readonly { readonly name: string; readonly address?: string }[];
}

/** What the executor leaves in the folder of a trial. */
export const toldFile = 'told';

export const trialRecordOf = ({ folder, name }: Pick<TrialPlan, 'folder' | 'name'>): string => `${folder}/${name}.json`;

/** The arguments of `run-trial`. */
export const trialArguments = ({ folder, name, ...rest }: TrialPlan): string[] => [
  ...['--folder', folder, '--name', name],
  ...rest.reads.flatMap((path) => ['--read', path]),
  ...rest.calls.map((call) => `--call=${JSON.stringify(call)}`),
  ...rest.names.flatMap((host) => ['--resolve', host]),
];

/** Appears whole or not at all. */
export const writeTrialRecord = (path: string, record: TrialRecord): void => {
  replaceFile(path, record);
};

/** Undefined while there is none that can be read. */
export const readTrialRecord = (path: string): TrialRecord | undefined => {
  const content = readJson(path);
  return content === undefined || content === 'damaged' ? undefined : trialRecordIn(content.value);
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const lists = ['groups', 'work', 'unreadable', 'gpus', 'calls', 'names'] as const;
const numbers = ['startedAt', 'writtenAt', 'uid', 'gid'] as const;

/** The record in some JSON, a pod's last words among it. */
export const trialRecordIn = (value: unknown): TrialRecord | undefined => {
  const isRecord =
    isObject(value) &&
    value.schemaVersion === 1 &&
    numbers.every((name) => typeof value[name] === 'number') &&
    lists.every((name) => Array.isArray(value[name]));
  return isRecord ? (value as unknown as TrialRecord) : undefined;
};
