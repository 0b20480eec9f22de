import { closeSync, fstatSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inOwnFolder } from '@fleet/attempt-runner';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles } from '@fleet/contracts/runs';
import { openRegularSync } from '@fleet/untrusted-files';

/** Bytes read from the end of a supervisor's log. */
const maxBytes = 16 * 1024;
const quotedLines = 5;

const tailOf = (path: string): string => {
  const file = openRegularSync(path);
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, maxBytes));
    const length = readSync(file, tail, 0, tail.length, size - tail.length);
    return tail.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
};

/** The last error in the log of a run's supervisor, as text for a fault. */
export const lastSupervisorWords = (folder: string): string => {
  try {
    const text = inOwnFolder(folder, (at) => tailOf(join(at, basename(attemptFiles.supervisorLog))));
    return text.trim().split('\n').slice(-quotedLines).join(' ') || 'its supervisor ended without a report';
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'its folder is gone';
    if (code.startsWith('file.')) return 'its log was replaced by something else';
    throw error;
  }
};
