import type { ModelProtocol } from '@fleet/contracts/models';
import type { ModelPrice } from '@fleet/ports';

/** One model at one address, as the site configures it. */
export interface TargetSettings {
  readonly id: string;
  readonly protocol: ModelProtocol;
  /** Nothing is connected to but this; without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key?: string;
  readonly local: boolean;
  /** Tokens that request and answer may have together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Absent: nobody has said it. */
  readonly price?: ModelPrice;
  /** Absent: the model's own. */
  readonly temperature?: number;
  /** Whether it is sent the schema of the answer. */
  readonly sendsSchema: boolean;
  readonly limits: CallLimits;
}

/** Milliseconds. What a server sends to keep a connection alive is not content. */
export interface CallLimits {
  /** Until the first content. */
  readonly firstMs: number;
  /** Between two pieces of content. */
  readonly idleMs: number;
  /** For the whole call. */
  readonly totalMs: number;
}
