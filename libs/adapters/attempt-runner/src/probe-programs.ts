/**
 * Executable: `node probe-programs.js --programs NAME,NAME --out FILE [--phenix DIR] [--open-phenix DIR]`.
 *
 * Lists the programs that can run in its container: checks the given installations, then PATH, and writes a
 * `ProbeRecord` to FILE atomically. A broken installation is a warning in the record and on standard error. Finding no
 * program is not a failure. Exit code 1, with the reason on standard error, if it cannot read the folders or write the
 * file. Uses only Node and files of this package.
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

// Warnings are in the record too, so an unwritable standard error loses nothing.
process.stderr.on('error', () => undefined);
probe().catch((error: unknown) => {
  console.error(`probe-programs: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
