import { fstatSync, readSync, statfsSync } from 'node:fs';

/** A file system with less free space counts as full, in bytes. */
const fullBelowBytes = 1024 * 1024;
const tailBytes = 64 * 1024;
/** Messages of ENOSPC and EDQUOT in the C library, which every language passes on (strerror(3)). */
const fullDiskWords = /No space left on device|Disk quota exceeded/;

/** Whether a folder's file system has no free blocks or inodes. */
export const diskIsFull = (folder: string): boolean => {
  const disk = statfsSync(folder);
  return disk.bavail * disk.bsize < fullBelowBytes || (disk.files > 0 && disk.ffree === 0);
};

/**
 * Whether the end of an open log reports a full disk: a failed program often deletes its files, so the disk no longer
 * looks full.
 */
export const logTellsFullDisk = (log: number): boolean => {
  const { size } = fstatSync(log);
  const tail = Buffer.alloc(Math.min(size, tailBytes));
  readSync(log, tail, 0, tail.length, size - tail.length);
  return fullDiskWords.test(tail.toString('latin1'));
};
