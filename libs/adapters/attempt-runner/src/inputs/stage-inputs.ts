import { mkdirSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import type { RunInput } from '@fleet/contracts/runs';
import { type FileIdentity, identityOf, openUnder, pinDifference } from '@fleet/untrusted-files';
import type { Outcome } from '../attempt/ending-words';
import { copyOpenFile, UnreadableInput } from './copy-file';
import { describeInputTrouble, inputChanged, noRoot, troubleOf, type InputTrouble } from './input-words';

export interface Staging {
  readonly program: string;
  readonly inputs: readonly RunInput[];
  /** Absolute target folder of the copies. Existing content is removed first. */
  readonly folder: string;
  /** True once the copies are no longer needed. */
  readonly isStopped: () => boolean;
}

const sameMoment = (one: FileIdentity, other: FileIdentity): boolean =>
  one.modified === other.modified && one.size === other.size;

/** Copies an open input and compares the copy with the accepted content; undefined if they are equal. */
const copyPinned = async (
  source: FileHandle,
  { pin }: RunInput,
  target: string,
  isStopped: () => boolean,
): Promise<string | undefined> => {
  const before = await identityOf(source);
  if (pin !== undefined && pin.size !== before.size) return pinDifference(pin, before);
  const hash = pin?.sha256 !== undefined;
  const sha256 = await copyOpenFile({ source, size: before.size, target, hash, isStopped });
  if (isStopped()) return undefined;
  if (!sameMoment(before, await identityOf(source))) return 'it was modified while it was being copied';
  return pin === undefined ? undefined : pinDifference(pin, sha256 === undefined ? before : { ...before, sha256 });
};

const stageOne = async (
  input: RunInput,
  target: string,
  isStopped: () => boolean,
): Promise<InputTrouble | undefined> => {
  if (input.root === undefined) return noRoot;
  let source: FileHandle;
  try {
    source = await openUnder(input.root, input.path);
  } catch (error) {
    const isMissing = errnoOf(error) === 'ENOENT';
    return input.argument === undefined && isMissing ? undefined : troubleOf(error);
  }
  try {
    const change = await copyPinned(source, input, target, isStopped);
    return change === undefined ? undefined : inputChanged(change);
  } catch (error) {
    if (error instanceof UnreadableInput) return troubleOf(error);
    throw error;
  } finally {
    await source.close();
  }
};

/**
 * Copies the input files of a run. Returns undefined if all are copied or no longer needed; otherwise why the program
 * cannot start.
 * @throws the system's error if the copies cannot be written (`ENOSPC`)
 */
export const stageInputs = async ({ program, inputs, folder, isStopped }: Staging): Promise<Outcome | undefined> => {
  rmSync(folder, { recursive: true, force: true });
  const copies = [...new Map(inputs.map((input) => [input.name, input])).values()];
  for (const input of copies) {
    const target = join(folder, input.name);
    mkdirSync(dirname(target), { recursive: true });
    const trouble = await stageOne(input, target, isStopped);
    if (trouble !== undefined) return describeInputTrouble(program, input, trouble);
    if (isStopped()) return undefined;
  }
  return undefined;
};

/** The configuration ensures that the work root's path needs quotes at most. */
const plainPath = /^[\w./-]+$/;

const argumentOf = ({ flag, name }: RunInput, folder: string): string => {
  const path = join(folder, name);
  if (flag === undefined) return path;
  return `${flag}=${plainPath.test(path) ? path : `"${path}"`}`;
};

/** The command with the copies instead of the originals. */
export const stagedCommand = (
  argv: readonly string[],
  inputs: readonly RunInput[],
  folder: string,
): readonly string[] => {
  const staged = new Map<number | undefined, string>(
    inputs.filter(({ argument }) => argument !== undefined).map((input) => [input.argument, argumentOf(input, folder)]),
  );
  return argv.map((argument, index) => staged.get(index) ?? argument);
};
