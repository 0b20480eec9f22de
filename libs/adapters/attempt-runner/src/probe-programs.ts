/**
 * A program of its own: `node probe-programs.js --programs NAME,NAME --out FILE [--phenix DIR] [--open-phenix DIR]`.
 *
 * Says what can run in the container that it runs in: looks into the given installations, then along PATH, and writes a
 * `ProbeRecord` to FILE, whole or not at all. An installation that is broken is a warning in the record and on standard
 * error; that nothing is installed is not a failure. Exit code 1, with the reason on standard error, when it cannot look or
 * cannot write. It uses nothing but Node itself and files of this package.
 */
import { delimiter, isAbsolute } from 'node:path';
import { parseArgs } from 'node:util';
import { probePrograms } from './probe/installed-programs';
import { writeProbeRecord } from './probe/probe-record';

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      programs: { type: 'string' },
      out: { type: 'string' },
      phenix: { type: 'string' },
      'open-phenix': { type: 'string' },
    },
  });
  const { out, phenix, 'open-phenix': openPhenix } = values;
  const programs = (values.programs ?? '').split(',').filter((name) => name !== '');
  if (programs.length === 0) throw new Error('--programs names no program');
  if (out === undefined || !isAbsolute(out)) throw new Error('--out needs the absolute path of a file');
  return {
    out,
    programs,
    ...(phenix !== undefined && { phenixFolder: phenix }),
    ...(openPhenix !== undefined && { openPhenixFolder: openPhenix }),
  };
};

const probe = async (): Promise<void> => {
  const { out, ...wanted } = readArguments();
  const warnings: string[] = [];
  const environment = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const searchFolders = (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
  const onWarning = (message: string): void => {
    warnings.push(message);
    console.error(message);
  };
  const programs = await probePrograms({ ...wanted, searchFolders, onWarning }, environment);
  writeProbeRecord(out, { schemaVersion: 1, probedAt: new Date().toISOString(), programs, warnings });
};

// Warnings are in the record as well: a standard error that cannot be written to costs nothing.
process.stderr.on('error', () => undefined);
probe().catch((error: unknown) => {
  console.error(`probe-programs: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
