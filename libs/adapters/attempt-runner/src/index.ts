/**
 * One attempt of a program, from its claim to its published folder. Every backend uses the same files and the same
 * supervisor. `run-attempt`, `probe-programs` and `run-trial` beside this file are separate programs.
 */
export {
  folderOf,
  hasOwnFile,
  lastSignOfLife,
  foldersOf,
  prepareAttempt,
  publish,
  readRecords,
  readResult,
  readRun,
  readSpec,
  writeResult,
  type AttemptFolders,
  type AttemptRecords,
} from './attempt/attempt-files-of';
export { specHash, type ResultRecord, type RunRecord } from './attempt/attempt-records';
export { isBelievable, isSealedResult } from './attempt/result-seal';
export { SeenClaims } from './attempt/seen-claims';
export { inAttemptFolder, inOwnFolder, isTakenAway, unlockOwnFolder, whatIs, whatStandsOf } from './attempt/own-folder';
export { askToCancel, claimForCancel, claimRun, noteHandedOver } from './attempt/attempt-claims';
export { closeAttempt } from './attempt/attempt-closing';
export { describeCancel, describeLoss, type Outcome } from './attempt/ending-words';
export { hasHardLinks, isFullDisk, openToAppend, writeOnce } from './attempt/exclusive-file';
export { identityRefused, ownerOfFolder, type Account, type FolderOwner } from './attempt/owner-of-folder';
export { prepareShared, shareFolder } from './attempt/shared-folders';
export { isThere, refuseMissingRoot, storageFault, unusableFolder } from './attempt/folder-faults';
export { probePrograms, type ProbeOptions } from './probe/installed-programs';
export { probeArguments, readProbeRecord, type ProbeRecord } from './probe/probe-record';
export { prepareTrialFolder } from './trial/trial-folder';
export { judgeTrial } from './trial/judge-trial';
export {
  readTrialRecord,
  runTrialScript,
  trialArguments,
  trialRecordIn,
  trialRecordOf,
  type Call,
  type TrialPlan,
  type TrialRecord,
} from './trial/trial-record';
export {
  commandLine,
  hostIdentity,
  isAlive,
  isUnknownHost,
  readProcessTable,
  type HostIdentity,
} from './processes/process-table';
export { adoptingOrphans } from './processes/subreaper';
export { isOfRun, ProcessTree, sendSignal, terminationGraceMs } from './processes/process-tree';
export {
  attemptEnvironment,
  attemptExitCodes,
  runAttemptArguments,
  runAttemptScript,
  type RunAttemptOptions,
} from './run-attempt-command';
