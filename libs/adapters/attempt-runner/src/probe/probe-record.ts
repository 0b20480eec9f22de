import { exactly, isDescribed, list, record, text, time, type Described } from '@fleet/contracts/schema';
import { installedProgramSchema } from '@fleet/contracts/service';
import { readJson, replaceFile } from '../attempt/exclusive-file';
import type { ProbeOptions } from './installed-programs';

/** The findings of `probe-programs` about its container. */
const probeRecordSchema = record({
  schemaVersion: exactly(1),
  probedAt: time(),
  programs: list(installedProgramSchema),
  warnings: list(text(), 'what is wrong with the installations, one sentence each'),
});
export type ProbeRecord = Described<typeof probeRecordSchema>;

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

/** Writes the record atomically, and replaces an older one. */
export const writeProbeRecord = (path: string, record: ProbeRecord): void => replaceFile(path, record);

/** The record of an earlier probe; undefined if there is no readable one. */
export const readProbeRecord = (path: string): ProbeRecord | undefined => {
  const content = readJson(path);
  if (content === undefined || content === 'damaged') return undefined;
  return isDescribed(probeRecordSchema, content.value) ? content.value : undefined;
};
