import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';
import { isDescribed, type Schema } from '@fleet/contracts/schema';
import { canonicalJson } from '@fleet/contracts/service';
import { readWholeUnder } from '@fleet/untrusted-files';
import { jsonProblem } from './bounded-json';
import { asFault } from './folder-faults';
import { holdFolder, type HeldFolder } from './held-folder';
import { authenticityOfText, signText, type InstallationKey } from './session-signature';
import { publishIfAbsent, writeBeside } from './write-whole';

/** Below the work root; not a valid proposal name. Only the gateway has access, programs of other users do not. */
const accessFolder = '.phenix-fleet-access';
const largestFile = 256 * 1024;
const bounds = { deepest: 8, maxValues: 10_000 };

/** What a file is signed as, so that one kind cannot pass for another or for another signed text. */
type Kind = 'key' | 'revoked' | 'webhook' | 'removed';
const signedText = (kind: Kind, id: string, content: object): string =>
  [`phenix-fleet access ${kind} 1`, id, canonicalJson(content)].join('\n');

export interface SignedFolderOptions {
  readonly keys: readonly InstallationKey[];
  /** Called with files that are ignored because their signature is invalid. */
  readonly onWarning: (message: string) => void;
  /** The error if there is no key to sign with. */
  readonly noKey: () => Fault;
  /** The consequence of ignoring such a file: `opens nothing`. */
  readonly without: string;
}

const isMissing = (error: unknown): boolean => errnoOf(error) === 'ENOENT';

/**
 * Small files of the gateway in the work root, so that they outlive the database: `<id>.<kind>.json`. Each is written
 * once and signed with the installation's key; one that is not authentic is ignored.
 */
export class SignedFolder {
  private readonly steps: readonly string[];
  private readonly path: string;

  /** @param workRoot absolute */
  constructor(
    private readonly workRoot: string,
    name: string,
    private readonly options: SignedFolderOptions,
  ) {
    this.steps = [accessFolder, name];
    this.path = join(workRoot, ...this.steps);
  }

  /** Names of files of this form, verified or not. */
  async names(form: RegExp): Promise<readonly string[]> {
    try {
      return (await readdir(this.path)).filter((name) => form.test(name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw unreadable(this.path, error);
    }
  }

  /** The content of an authentic file; undefined if there is none. */
  async read<T>(kind: Kind, id: string, schema: Schema<T>): Promise<T | undefined> {
    const path = join(this.path, `${id}.${kind}.json`);
    const stored = await this.contentOf(path);
    if (stored === undefined) return undefined;
    const { content, signature } = stored;
    const authenticity = authenticityOfText(() => signedText(kind, id, content), signature, this.options.keys);
    if (authenticity === 'authentic' && isDescribed(schema, content)) return content;
    this.warn(path, authenticity === 'authentic' ? 'it is of another layout' : `its signature is ${authenticity}`);
    return undefined;
  }

  /** Keeps an existing file. */
  async write(kind: Kind, id: string, content: object): Promise<void> {
    const [key] = this.options.keys;
    if (key === undefined) throw this.options.noKey();
    const text = JSON.stringify({ content, signature: signText(signedText(kind, id, content), key) });
    const name = `${id}.${kind}.json`;
    await this.inFolder(async (folder) => {
      await publishIfAbsent(folder, await writeBeside(folder, name, `${text}\n`), name);
    });
  }

  private async contentOf(path: string): Promise<Stored | undefined> {
    try {
      const stored = readStored(await readWholeUnder(this.workRoot, path, largestFile));
      if (stored === undefined) this.warn(path, 'it is not JSON of ours');
      return stored;
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!isFault(error) || error.kind !== 'caller') throw unreadable(path, error);
      this.warn(path, error.message);
      return undefined;
    }
  }

  private warn(path: string, why: string): void {
    this.options.onWarning(`${path} ${this.options.without}: ${why}`);
  }

  private async inFolder(act: (folder: HeldFolder) => Promise<void>): Promise<void> {
    try {
      // Created separately, because it must be private.
      await mkdir(join(this.workRoot, accessFolder), { mode: 0o700 }).catch((error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
      });
      const { folder } = await holdFolder(this.workRoot, this.steps);
      try {
        await act(folder);
      } finally {
        await folder.close();
      }
    } catch (error) {
      throw asFault(error, this.path);
    }
  }
}

const unreadable = (path: string, cause: unknown): Fault =>
  isFault(cause)
    ? cause
    : new Fault('storage.unreadable', 'transient', `${path} cannot be read: ${String(cause)}`, { cause });

interface Stored {
  readonly content: object;
  readonly signature: unknown;
}

const readStored = (text: string): Stored | undefined => {
  if (jsonProblem(text, bounds) !== undefined) return undefined;
  try {
    const stored: unknown = JSON.parse(text);
    const content: unknown = typeof stored === 'object' && stored !== null ? Reflect.get(stored, 'content') : undefined;
    if (typeof content !== 'object' || content === null) return undefined;
    return { content, signature: Reflect.get(stored as object, 'signature') };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
