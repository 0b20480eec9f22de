import { fstatSync, readSync, statfsSync } from 'node:fs';

/** A file system with less than this free is full for any program, in bytes. */
const fullBelowBytes = 1024 * 1024;
const tailBytes = 64 * 1024;
/** The words of ENOSPC and EDQUOT in the C library, which every language passes on (strerror(3)). */
const fullDiskWords = /No space left on device|Disk quota exceeded/;

/** True when a folder's file system has no blocks or no file entries left. */
export const diskIsFull = (folder: string): boolean => {
  const disk = statfsSync(folder);
  return disk.bavail * disk.bsize < fullBelowBytes || (disk.files > 0 && disk.ffree === 0);
};

/** True when the end of an open log says so: a failed program often deletes its files, and the disk looks well again. */
export const logTellsFullDisk = (log: number): boolean => {
  const { size } = fstatSync(log);
  const tail = Buffer.alloc(Math.min(size, tailBytes));
  readSync(log, tail, 0, tail.length, size - tail.length);
  return fullDiskWords.test(tail.toString('latin1'));
};
