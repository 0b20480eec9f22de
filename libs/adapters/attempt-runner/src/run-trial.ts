/**
 * Executable: `node run-trial.js --folder FOLDER --name NAME [--read FOLDER]… [--call JSON]… [--resolve HOST]…`.
 *
 * Started like a program, it tests what a program needs and what a program must not reach, and writes a `TrialRecord`
 * to FOLDER/NAME.json atomically. If that fails, it prints the record on standard error and exits with 1. Uses only
 * Node and files of this package.
 */
import { accessSync, constants } from 'node:fs';
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import { parseArgs } from 'node:util';
import { errnoOf } from '@fleet/contracts/faults';
import { trialRecordOf, writeTrialRecord, type Call, type TrialPlan, type TrialRecord } from './trial/trial-record';
import { tryCall, tryName } from './trial/try-network';
import { tryGpus } from './trial/try-gpus';
import { tryWork } from './trial/try-work';

const readArguments = (): TrialPlan => {
  const several = { type: 'string', multiple: true } as const;
  const { values } = parseArgs({
    options: { folder: { type: 'string' }, name: { type: 'string' }, read: several, call: several, resolve: several },
  });
  const { folder = '', name = '', read = [], call = [], resolve = [] } = values;
  if (!isAbsolute(folder)) throw new Error('--folder needs the absolute path of a folder');
  if (!/^[a-z0-9-]+$/.test(name)) throw new Error('--name needs a name of small letters, digits and -');
  return { folder, name, reads: read, calls: call.map((text) => JSON.parse(text) as Call), names: resolve };
};

/** The API server, whose IP address every pod knows. Programs must not reach it. */
const apiServer = ({
  KUBERNETES_SERVICE_HOST: host,
  KUBERNETES_SERVICE_PORT: port,
}: NodeJS.ProcessEnv): readonly Call[] =>
  host === undefined ? [] : [{ what: 'the API server', host, port: Number(port ?? 443) }];

const unreadableOf = (folders: readonly string[]): TrialRecord['unreadable'] =>
  folders.flatMap((folder) => {
    try {
      accessSync(folder, constants.R_OK | constants.X_OK);
      return [];
    } catch (error) {
      return [{ folder, result: errnoOf(error) ?? String(error) }];
    }
  });

const seen = async ({ folder, reads, calls, names }: TrialPlan): Promise<TrialRecord> => {
  const startedAt = Date.now();
  const work = tryWork(folder);
  const [gpus, made, found] = await Promise.all([
    tryGpus(),
    Promise.all([...apiServer(process.env), ...calls].map(tryCall)),
    Promise.all(names.map(tryName)),
  ]);
  return {
    schemaVersion: 1,
    startedAt,
    host: hostname(),
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
    groups: process.getgroups?.() ?? [],
    ...work,
    unreadable: unreadableOf(reads),
    gpus,
    calls: made,
    names: found,
    writtenAt: Date.now(),
  };
};

const runTrial = async (): Promise<void> => {
  const plan = readArguments();
  // As in a run's supervisor: the group may change what is written.
  process.umask(0o007);
  const record = await seen(plan);
  try {
    writeTrialRecord(trialRecordOf(plan), record);
  } catch {
    // The record has the reason: writing was tested before.
    console.error(JSON.stringify(record));
    process.exitCode = 1;
  }
};

runTrial()
  .catch((error: unknown) => {
    console.error(`run-trial: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  })
  // A name server that does not answer would keep the process alive.
  .finally(() => process.exit());
