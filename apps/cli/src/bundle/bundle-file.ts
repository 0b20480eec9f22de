import { open, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { errnoOf } from '@fleet/contracts/faults';
import { CliError, unreadable } from '../cli-error';
import { exitCodes } from '../exit-codes';

/** A requested part: its value, or why it is missing. */
export type BundlePart = { readonly value: unknown } | { readonly missing: string };

/** The content of a file from `phx admin bundle`. */
export interface Bundle {
  readonly bundle: 'phenix-fleet';
  /** Version of the file's layout. */
  readonly layout: number;
  /** Of the phx that wrote it. */
  readonly release: string;
  readonly at: string;
  /** Absent: only the fleet. */
  readonly sessionId?: string;
  readonly parts: Readonly<Record<string, BundlePart>>;
}

/** Maximum unpacked size of a bundle in bytes: a foreign file could fill the memory. */
const mostBytes = 512 * 1024 * 1024;

/** Writes a new file that only its owner can read. @throws CliError `usage` if it cannot be created */
export const writeBundle = async (path: string, bundle: Bundle): Promise<void> => {
  const packed = await promisify(gzip)(JSON.stringify(bundle));
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(packed);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errnoOf(error) ?? String(error);
    const why = code === 'EEXIST' ? 'already exists. Name another file with --output' : `cannot be written: ${code}`;
    throw new CliError(exitCodes.usage, `${path} ${why}.`);
  }
};

const isBundle = (value: unknown): value is Bundle =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'bundle') === 'phenix-fleet';

const unpacked = async (path: string, packed: Buffer): Promise<unknown> => {
  try {
    return JSON.parse((await promisify(gunzip)(packed, { maxOutputLength: mostBytes })).toString()) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(exitCodes.usage, `${path} is not a bundle of phx: ${reason}.`);
  }
};

/** @throws CliError `usage` for another kind of file, or another layout */
export const readBundle = async (path: string): Promise<Bundle> => {
  const packed = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const value = await unpacked(path, packed);
  if (!isBundle(value)) throw new CliError(exitCodes.usage, `${path} is not a bundle of phx.`);
  if (value.layout !== 1)
    throw new CliError(exitCodes.usage, `${path} was created by phx ${value.release}. Use that release to read it.`);
  return value;
};
