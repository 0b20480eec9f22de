import type { InstalledProgram } from '@fleet/contracts';
import { readJson, replaceFile } from '../attempt/exclusive-file';
import type { ProbeOptions } from './installed-programs';

/** What `probe-programs` writes down about the container that it runs in. */
export interface ProbeRecord {
  readonly schemaVersion: 1;
  readonly probedAt: string;
  readonly programs: readonly InstalledProgram[];
  /** What is wrong with the installations, one sentence each. */
  readonly warnings: readonly string[];
}

/** The arguments of `probe-programs`. `out`: the absolute path of the record. */
export const probeArguments = (
  { programs, phenixFolder, openPhenixFolder }: Pick<ProbeOptions, 'programs' | 'phenixFolder' | 'openPhenixFolder'>,
  out: string,
): string[] => [
  ...['--programs', programs.join(',')],
  ...(phenixFolder === undefined ? [] : ['--phenix', phenixFolder]),
  ...(openPhenixFolder === undefined ? [] : ['--open-phenix', openPhenixFolder]),
  ...['--out', out],
];

/** Appears whole or not at all; replaces an older one. */
export const writeProbeRecord = (path: string, record: ProbeRecord): void => {
  replaceFile(path, record);
};

/** The record of an earlier probe; undefined when there is none that can be read. */
export const readProbeRecord = (path: string): ProbeRecord | undefined => {
  const content = readJson(path);
  return content !== undefined && content !== 'damaged' && isProbeRecord(content.value) ? content.value : undefined;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry: unknown) => typeof entry === 'string');

const isProgram = (value: unknown): value is InstalledProgram =>
  isObject(value) &&
  typeof value.program === 'string' &&
  typeof value.version === 'string' &&
  ['phenix', 'open-phenix', 'simulated'].some((provider) => provider === value.provider) &&
  areTexts(value.command);

const isProbeRecord = (value: unknown): value is ProbeRecord =>
  isObject(value) &&
  value.schemaVersion === 1 &&
  typeof value.probedAt === 'string' &&
  areTexts(value.warnings) &&
  Array.isArray(value.programs) &&
  value.programs.every(isProgram);
