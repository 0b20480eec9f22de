import { join } from 'node:path';
import {
  canonicalJson,
  choice,
  Fault,
  isDescribed,
  isFault,
  errnoOf,
  list,
  modelRoles,
  record,
  text,
  count,
} from '@fleet/contracts';
import type { Session } from '@fleet/contracts';
import type { KeptReply, ModelReplies } from '@fleet/ports';
import { readWholeUnder } from '@fleet/untrusted-files';
import { jsonProblem } from './bounded-json';
import { asFault } from './folder-faults';
import { sessionFolderPath } from './folder-names';
import { holdFolder } from './held-folder';
import type { SessionFolderOptions } from './session-folder';
import { authenticityOfText, signText, type InstallationKey } from './session-signature';
import { publishIfAbsent, writeBeside } from './write-whole';

const folderName = 'models';
const largestFile = 4 * 1024 * 1024;
const bounds = { deepest: 6, maxValues: 100 };

const longText = text(undefined, { maxLength: 512 * 1024 });
const replySchema = record(
  {
    target: text(undefined, { maxLength: 200 }),
    model: text(undefined, { maxLength: 200 }),
    text: longText,
    finish: choice(['stop', 'length']),
    usage: record({}, { inputTokens: count(), outputTokens: count() }),
  },
  { asked: list(record({ role: choice(modelRoles), text: longText }), undefined, { maxItems: 20 }) },
);

const signedText = ({ id }: Session, work: string, reply: object): string =>
  ['phenix-fleet model reply 1', id, work, canonicalJson(reply)].join('\n');

/** Raw replies of models, each a signed file `models/<work>.json` in the folder of its session. */
export class ModelReplyFolder implements ModelReplies {
  private readonly keys: readonly InstallationKey[];
  private readonly onWarning: (message: string) => void;

  /** @param workRoot absolute */
  constructor(
    private readonly workRoot: string,
    { keys = [], onWarning = (): void => undefined }: Pick<SessionFolderOptions, 'keys' | 'onWarning'> = {},
  ) {
    this.keys = keys;
    this.onWarning = onWarning;
  }

  async find(session: Session, work: string): Promise<KeptReply | undefined> {
    const folder = sessionFolderPath(this.workRoot, session.request.proposal, session.id);
    const path = join(folder, folderName, `${work}.json`);
    const stored = await this.read(path);
    if (stored === undefined) return undefined;
    const reply: unknown = Reflect.get(stored, 'reply');
    if (!isDescribed(replySchema, reply)) {
      this.warn(path, 'it is no reply');
      return undefined;
    }
    const signature: unknown = Reflect.get(stored, 'signature');
    const authenticity = authenticityOfText(() => signedText(session, work, reply), signature, this.keys);
    // An installation without keys believes its own folder, as it does with session.json.
    if (authenticity === 'authentic' || authenticity === 'no_key') return reply;
    this.warn(path, `its signature is ${authenticity}`);
    return undefined;
  }

  async keep(session: Session, work: string, reply: KeptReply): Promise<void> {
    const [key] = this.keys;
    const signature = key === undefined ? {} : { signature: signText(signedText(session, work, reply), key) };
    const name = `${work}.json`;
    try {
      const { folder } = await holdFolder(this.workRoot, [session.request.proposal, session.id, folderName]);
      try {
        await publishIfAbsent(
          folder,
          await writeBeside(folder, name, `${JSON.stringify({ reply, ...signature })}\n`),
          name,
        );
      } finally {
        await folder.close();
      }
    } catch (error) {
      throw asFault(error, join(session.folder, folderName, name));
    }
  }

  private async read(path: string): Promise<object | undefined> {
    try {
      const stored = objectOf(await readWholeUnder(this.workRoot, path, largestFile));
      if (stored === undefined) this.warn(path, 'it is no JSON of ours');
      return stored;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      if (!isFault(error))
        throw new Fault('storage.unreadable', 'transient', `${path} cannot be read: ${String(error)}`, {
          cause: error,
        });
      if (error.kind !== 'caller') throw error;
      this.warn(path, error.message);
      return undefined;
    }
  }

  private warn(path: string, why: string): void {
    this.onWarning(`${path} is not used: ${why}`);
  }
}

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
