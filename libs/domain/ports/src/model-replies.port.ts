import type { Session } from '@fleet/contracts/sessions';
import type { ModelMessage, ModelReply } from './model-target.port';

export const MODEL_REPLIES = Symbol('ModelReplies');

/** A reply as it is kept, with where it came from. */
export interface KeptReply extends Pick<ModelReply, 'text' | 'finish' | 'usage'> {
  readonly target: string;
  readonly model: string;
  /** What was asked; absent in files of older releases. */
  readonly asked?: readonly ModelMessage[];
}

/** Replies of models in the folder of their session: what was paid once is not asked again. */
export interface ModelReplies {
  /**
   * @param work what was asked for, and the hash of what was asked: `c003-plan-0f3a…`
   * @returns undefined where there is none that this installation wrote
   * @throws Fault (transient) when the disk is in trouble
   */
  find(session: Session, work: string): Promise<KeptReply | undefined>;
  /** One that is there already stays. @throws Fault (transient) when the disk is in trouble */
  keep(session: Session, work: string, reply: KeptReply): Promise<void>;
}
