import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  apiKeySchema,
  errnoOf,
  Fault,
  isDescribed,
  isFault,
  keyRevocationSchema,
  type ApiKey,
  type KeyRevocation,
  type Schema,
} from '@fleet/contracts';
import type { AccessKeys } from '@fleet/ports';
import { readWholeUnder } from '@fleet/untrusted-files';
import { jsonProblem } from './bounded-json';
import { canonicalJson } from './canonical-json';
import { asFault } from './folder-faults';
import { holdFolder, type HeldFolder } from './held-folder';
import { authenticityOfText, signText, type InstallationKey } from './session-signature';
import { publishIfAbsent, writeBeside } from './write-whole';

/** Below the work root; no proposal is called so. Its folders are the gateway's alone: programs of other users cannot look into them. */
const accessFolder = '.phenix-fleet-access';
const steps = [accessFolder, 'keys'];
const largestFile = 256 * 1024;
const bounds = { deepest: 8, maxValues: 10_000 };
const fileForm = /^([0-9a-z]{16})\.(key|revoked)\.json$/;

/** What a file is signed as, so that none passes for another, nor for anything else that is ever signed. */
type Kind = 'key' | 'revoked';
const signedText = (kind: Kind, id: string, content: object): string =>
  [`phenix-fleet access ${kind} 1`, id, canonicalJson(content)].join('\n');

interface AccessFolderOptions {
  readonly keys: readonly InstallationKey[];
  /** Hears of files that open nothing because nothing vouches for them. */
  readonly onWarning: (message: string) => void;
}

const noInstallationKey = (): Fault =>
  new Fault(
    'key.no_installation_key',
    'conflict',
    'API keys need FLEET_INSTALLATION_KEY_FILE: they are kept in the work folder, and without a signature whoever can write there could add one. Set it (docs/configuration.md), restart the gateway and try again.',
  );

const isMissing = (error: unknown): boolean => errnoOf(error) === 'ENOENT';

/**
 * The keys of the API as files of the work root, so that they outlive Redis: `<id>.key.json`, and `<id>.revoked.json` once it was revoked. Each
 * is written once and signed with the installation's key; what is not authentic opens nothing.
 */
export class AccessKeyFolder implements AccessKeys {
  private readonly path: string;

  /** @param workRoot absolute */
  constructor(
    private readonly workRoot: string,
    private readonly options: AccessFolderOptions,
  ) {
    this.path = join(workRoot, ...steps);
  }

  async create(given: ApiKey): Promise<void> {
    const { revokedAt, revokedBy = '', ...key } = given;
    if ((await this.names()).includes(`${key.id}.key.json`))
      throw new Fault('key.exists', 'conflict', `There is a key ${key.id} already.`);
    if (revokedAt !== undefined) await this.write('revoked', key.id, { revokedAt, revokedBy });
    await this.write('key', key.id, key);
    const kept = await this.read('key', key.id, apiKeySchema);
    if (kept?.hash !== key.hash || kept.owner !== key.owner)
      throw new Fault('key.exists', 'conflict', `There is a key ${key.id} already.`);
  }

  async find(id: string): Promise<ApiKey | undefined> {
    const key = await this.read('key', id, apiKeySchema);
    if (key === undefined) return undefined;
    const isRevoked = (await this.names()).includes(`${id}.revoked.json`);
    if (!isRevoked) return key;
    const revocation = await this.read('revoked', id, keyRevocationSchema);
    // One that cannot be read was a revocation nevertheless: nothing opens again because a file was damaged.
    return { ...key, ...(revocation ?? { revokedAt: key.createdAt, revokedBy: '' }) };
  }

  async list(): Promise<readonly ApiKey[]> {
    const ids = (await this.names()).flatMap((name) => (name.endsWith('.key.json') ? [name.slice(0, 16)] : []));
    const keys = await Promise.all(ids.map((id) => this.find(id)));
    return keys
      .filter((key) => key !== undefined)
      .sort((one, other) => (`${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1));
  }

  async revoke(id: string, { revokedAt, revokedBy }: Required<KeyRevocation>): Promise<ApiKey | undefined> {
    if ((await this.find(id)) === undefined) return undefined;
    await this.write('revoked', id, { revokedAt, revokedBy });
    return this.find(id);
  }

  /** Also of files that nothing vouches for: a lost installation key locks out, and does not open. */
  async any(): Promise<boolean> {
    return (await this.names()).length > 0;
  }

  private async names(): Promise<readonly string[]> {
    try {
      return (await readdir(this.path)).filter((name) => fileForm.test(name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw unreadable(this.path, error);
    }
  }

  /** What an authentic file holds; undefined where there is none. */
  private async read<T>(kind: Kind, id: string, schema: Schema<T>): Promise<T | undefined> {
    const path = join(this.path, `${id}.${kind}.json`);
    const stored = await this.contentOf(path);
    if (stored === undefined) return undefined;
    const { content, signature } = stored;
    const authenticity = authenticityOfText(() => signedText(kind, id, content), signature, this.options.keys);
    if (authenticity === 'authentic' && isDescribed(schema, content)) return content;
    this.warn(path, authenticity === 'authentic' ? 'it is of another layout' : `its signature is ${authenticity}`);
    return undefined;
  }

  private async contentOf(path: string): Promise<Stored | undefined> {
    try {
      const stored = readStored(await readWholeUnder(this.workRoot, path, largestFile));
      if (stored === undefined) this.warn(path, 'it is no JSON of ours');
      return stored;
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!isFault(error) || error.kind !== 'caller') throw unreadable(path, error);
      this.warn(path, error.message);
      return undefined;
    }
  }

  private warn(path: string, why: string): void {
    this.options.onWarning(`${path} opens nothing: ${why}`);
  }

  private async write(kind: Kind, id: string, content: object): Promise<void> {
    const [key] = this.options.keys;
    if (key === undefined) throw noInstallationKey();
    const text = JSON.stringify({ content, signature: signText(signedText(kind, id, content), key) });
    const name = `${id}.${kind}.json`;
    await this.inFolder(async (folder) => {
      await publishIfAbsent(folder, await writeBeside(folder, name, `${text}\n`), name);
    });
  }

  private async inFolder(act: (folder: HeldFolder) => Promise<void>): Promise<void> {
    try {
      // Made here and not on the way, for nobody else may look into it.
      await mkdir(join(this.workRoot, accessFolder), { mode: 0o700 }).catch((error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
      });
      const { folder } = await holdFolder(this.workRoot, steps);
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
