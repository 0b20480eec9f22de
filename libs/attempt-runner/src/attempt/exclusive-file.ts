import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The system's code of an error (`ENOENT`), by its shape: `instanceof` does not survive a second copy of a class. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** No blocks left, or none that this user may have. */
export const isFullDisk = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');

/** A name of one's own: process numbers repeat, for in each container they begin at 1. */
const besideOf = (path: string): string => `${path}.${randomUUID()}`;

/**
 * Writes a file that appears whole or not at all, and only if there is none of that name: the first writer wins.
 * Returns false when somebody else was first. Survives a power cut once it has returned, unless `durable` is false: for
 * what can be said again, since a disk takes milliseconds for that, and nothing else is done meanwhile.
 */
export const writeOnce = (path: string, content: unknown, { durable = true } = {}): boolean => {
  const beside = besideOf(path);
  const text = `${JSON.stringify(content, undefined, 1)}\n`;
  try {
    if (durable) writeDurably(beside, text);
    else writeFileSync(beside, text);
    linkSync(beside, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(beside, { force: true });
  }
  if (durable) syncFolder(dirname(path));
  return true;
};

/** As `writeOnce`, but the last writer wins: only for files with one writer. */
export const replaceFile = (path: string, content: unknown): void => {
  const beside = besideOf(path);
  try {
    writeDurably(beside, `${JSON.stringify(content, undefined, 1)}\n`);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
};

export const writeDurably = (path: string, text: string): void => {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Makes renames and links in a folder survive a power cut. */
export const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** The JSON in a file; undefined when there is no such file. `damaged` when it is not JSON. */
export const readJson = (path: string): { readonly value: unknown } | 'damaged' | undefined => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return 'damaged';
  }
};
