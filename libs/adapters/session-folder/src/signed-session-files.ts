import { join } from 'node:path';
import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';
import { isDescribed, type Schema } from '@fleet/contracts/schema';
import { canonicalJson } from '@fleet/contracts/service';
import type { Session } from '@fleet/contracts/sessions';
import { readWholeUnder } from '@fleet/untrusted-files';
import { jsonProblem } from './bounded-json';
import { asFault } from './folder-faults';
import { sessionFolderPath } from './folder-names';
import { holdFolder } from './held-folder';
import type { SessionFolderOptions } from './session-folder';
import { authenticityOfText, signText, type InstallationKey } from './session-signature';
import { publishIfAbsent, writeBeside } from './write-whole';

const largestFile = 4 * 1024 * 1024;
const bounds = { deepest: 6, maxValues: 10_000 };

/** Description of a kind of files. */
export interface SignedKind<T extends object> {
  /** In the folder of the session. */
  readonly folder: string;
  /** The member of the file with the content: `reply`. */
  readonly member: string;
  /** What it is signed as, so that one kind cannot pass for another: `phenix-fleet model reply 1`. */
  readonly signedAs: string;
  readonly schema: Schema<T>;
}

/**
 * Signed files `<folder>/<name>.json` in the folders of sessions, each written once; files of another origin are
 * ignored.
 */
export class SignedSessionFiles<T extends object> {
  private readonly keys: readonly InstallationKey[];
  private readonly onWarning: (message: string) => void;

  /** @param workRoot absolute */
  constructor(
    private readonly workRoot: string,
    private readonly kind: SignedKind<T>,
    { keys = [], onWarning = (): void => undefined }: Pick<SessionFolderOptions, 'keys' | 'onWarning'> = {},
  ) {
    this.keys = keys;
    this.onWarning = onWarning;
  }

  /** Folder of these files. */
  folderOf({ request, id }: Session): string {
    return join(sessionFolderPath(this.workRoot, request.proposal, id), this.kind.folder);
  }

  /** @throws Fault (transient) when the disk fails */
  async find(session: Session, name: string): Promise<T | undefined> {
    const { member, schema } = this.kind;
    const path = join(this.folderOf(session), `${name}.json`);
    const stored = await this.read(path);
    if (stored === undefined) return undefined;
    const content: unknown = Reflect.get(stored, member);
    if (!isDescribed(schema, content)) return this.nothing(path, `it is not a valid ${member}`);
    const signature: unknown = Reflect.get(stored, 'signature');
    const authenticity = authenticityOfText(() => this.signedText(session, name, content), signature, this.keys);
    // An installation without keys trusts its own folder, as with session.json.
    if (authenticity === 'authentic' || authenticity === 'no_key') return content;
    return this.nothing(path, `its signature is ${authenticity}`);
  }

  /** An existing file stays. @throws Fault (transient) when the disk fails */
  async keep(session: Session, name: string, content: T): Promise<void> {
    const [key] = this.keys;
    const signature = key === undefined ? {} : { signature: signText(this.signedText(session, name, content), key) };
    const file = `${name}.json`;
    const text = `${JSON.stringify({ [this.kind.member]: content, ...signature })}\n`;
    try {
      const { folder } = await holdFolder(this.workRoot, [session.request.proposal, session.id, this.kind.folder]);
      try {
        await publishIfAbsent(folder, await writeBeside(folder, file, text), file);
      } finally {
        await folder.close();
      }
    } catch (error) {
      throw asFault(error, join(session.folder, this.kind.folder, file));
    }
  }

  private signedText({ id }: Session, name: string, content: T): string {
    return [this.kind.signedAs, id, name, canonicalJson(content)].join('\n');
  }

  private async read(path: string): Promise<object | undefined> {
    try {
      const stored = objectOf(await readWholeUnder(this.workRoot, path, largestFile));
      return stored ?? this.nothing(path, 'it is not JSON of ours');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      if (!isFault(error) && errnoOf(error) !== 'ENOTDIR') throw unreadable(path, error);
      if (!isFault(error)) return this.nothing(path, 'its folder is none');
      if (error.kind !== 'caller') throw error;
      return this.nothing(path, error.message);
    }
  }

  private nothing(path: string, why: string): T | undefined {
    this.onWarning(`${path} is not used: ${why}`);
    return undefined;
  }
}

const unreadable = (path: string, cause: unknown): Fault =>
  new Fault('storage.unreadable', 'transient', `${path} cannot be read: ${String(cause)}`, { cause });

const objectOf = (content: string): object | undefined => {
  if (jsonProblem(content, bounds) !== undefined) return undefined;
  try {
    const stored: unknown = JSON.parse(content);
    return typeof stored === 'object' && stored !== null ? stored : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
