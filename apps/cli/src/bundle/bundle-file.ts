import { open, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { errnoOf } from '@fleet/contracts/faults';
import { CliError, unreadable } from '../cli-error';
import { exitCodes } from '../exit-codes';

/** Something that was asked for: what came, or why nothing did. */
export type BundlePart = { readonly value: unknown } | { readonly missing: string };

/** What `phx admin bundle` gathers, as its file holds it. */
export interface Bundle {
  readonly bundle: 'phenix-fleet';
  /** Of the file. */
  readonly layout: number;
  /** Of the phx that made it. */
  readonly release: string;
  readonly at: string;
  /** Absent: of the fleet alone. */
  readonly sessionId?: string;
  readonly parts: Readonly<Record<string, BundlePart>>;
}

/** Bytes of a bundle once it is unpacked: a file from elsewhere may be made to fill a memory. */
const mostBytes = 512 * 1024 * 1024;

/** Writes a new file for its owner alone. @throws CliError `usage` where it cannot be made */
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

/** @throws CliError `usage` for a file that is none, or of another layout */
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
