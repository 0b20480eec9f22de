import { modelRoles } from '@fleet/contracts/models';
import { choice, count, list, record, text } from '@fleet/contracts/schema';
import type { Session } from '@fleet/contracts/sessions';
import type { StoredReply, ModelReplies } from '@fleet/ports';
import type { SessionFolderOptions } from './session-folder';
import { SignedSessionFiles } from './signed-session-files';

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

const kind = {
  folder: 'models',
  member: 'reply',
  signedAs: 'phenix-fleet model reply 1',
  schema: replySchema,
} as const;

/** Raw replies of models, each in a signed file `models/<work>.json` in the folder of its session. */
export class ModelReplyFolder implements ModelReplies {
  private readonly files: SignedSessionFiles<StoredReply>;

  /** @param workRoot absolute */
  constructor(workRoot: string, options: Pick<SessionFolderOptions, 'keys' | 'onWarning'> = {}) {
    this.files = new SignedSessionFiles<StoredReply>(workRoot, kind, options);
  }

  find(session: Session, work: string): Promise<StoredReply | undefined> {
    return this.files.find(session, work);
  }

  keep(session: Session, work: string, reply: StoredReply): Promise<void> {
    return this.files.keep(session, work, reply);
  }
}
