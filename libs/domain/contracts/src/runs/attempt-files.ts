/**
 * Files that the executor itself keeps in an attempt's folder, relative to it. Everything else there is the program's.
 * All but the log and the inputs lie in one hidden folder, so that a program that happens to write a `result.json` cannot fake its own end.
 */
export const attemptFiles = {
  /** The executor's own folder; its content is not output of the program. */
  folder: '.fleet',
  /** What was asked for. */
  spec: '.fleet/spec.json',
  /** A cluster has taken it: it is not handed over a second time. */
  handedOver: '.fleet/handed-over.json',
  /** Who runs it: written by the one supervisor that won the claim. */
  run: '.fleet/run.json',
  /** How it ended; written last, never changed. */
  result: '.fleet/result.json',
  /** Somebody asked to end it. */
  cancel: '.fleet/cancel.json',
  /** TMPDIR of the program; removed at the end. */
  temporary: '.fleet/tmp',
  /** Blocks kept back, so that a full disk still takes the result. */
  reserve: '.fleet/reserve',
  /** What the supervisor says about its own troubles. */
  supervisorLog: '.fleet/supervisor.log',
  /** Standard output and standard error of the program. */
  log: 'program.log',
  /** Copies of the files that the program is given, under names of ours; removed at the end. */
  inputs: 'inputs',
} as const;

/** Suffix of an attempt's folder while its program runs; the folder is published by a rename that drops it. */
export const runningSuffix = '.running';

/** Folder of an attempt inside its session's folder, for example `c003-refine/a1`. */
export const attemptFolder = (cycleFolderName: string, attempt: number): string =>
  `${cycleFolderName}/a${String(attempt)}`;

/** True for a path (relative to an attempt's folder) that the executor wrote, not the program. */
export const isExecutorFile = (relativePath: string): boolean =>
  relativePath === attemptFiles.log ||
  [attemptFiles.folder, attemptFiles.inputs].some((own) => relativePath === own || relativePath.startsWith(`${own}/`));
