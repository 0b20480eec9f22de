/**
 * Files that the executor itself writes to an attempt's folder, relative to it. Everything else there belongs to the program. All except the
 * log and the inputs are in one hidden folder, so that a program that happens to write a `result.json` cannot fake its own end.
 */
export const attemptFiles = {
  /** The executor's own folder; its content is not output of the program. */
  folder: '.fleet',
  /** The spec of the run. */
  spec: '.fleet/spec.json',
  /** Marks that a cluster has accepted the run: it is not submitted a second time. */
  handedOver: '.fleet/handed-over.json',
  /** The process that runs it: written by the one supervisor that won the claim. */
  run: '.fleet/run.json',
  /** How it ended; written last, never changed. */
  result: '.fleet/result.json',
  /** Requests its end. */
  cancel: '.fleet/cancel.json',
  /** TMPDIR of the program; removed at the end. */
  temporary: '.fleet/tmp',
  /** Reserved blocks, so that the result can be written to a full disk. */
  reserve: '.fleet/reserve',
  /** The supervisor's log of its own problems. */
  supervisorLog: '.fleet/supervisor.log',
  /** Standard output and standard error of the program. */
  log: 'program.log',
  /** Copies of the program's input files, under safe names; removed at the end. */
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
