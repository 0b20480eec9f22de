import type { Session } from '@fleet/contracts/sessions';
import type { ModelMessage, ModelReply } from './model-target.port';

export const MODEL_REPLIES = Symbol('ModelReplies');

/** A stored reply with its origin. */
export interface StoredReply extends Pick<ModelReply, 'text' | 'finish' | 'usage'> {
  readonly target: string;
  readonly model: string;
  /** The prompt; absent in files of older releases. */
  readonly asked?: readonly ModelMessage[];
}

/** Replies of models in the folder of their session: a paid request is not repeated. */
export interface ModelReplies {
  /**
   * @param work the work and the hash of its prompt: `c003-plan-0f3a…`
   * @returns undefined if this installation wrote no such reply
   * @throws Fault (transient) for a disk error
   */
  find(session: Session, work: string): Promise<StoredReply | undefined>;
  /** Keeps an existing reply. @throws Fault (transient) for a disk error */
  keep(session: Session, work: string, reply: StoredReply): Promise<void>;
}
