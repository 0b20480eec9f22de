import type { ModelProtocol } from '@fleet/contracts/models';
import type { ModelPrice } from '@fleet/ports';

/** One model at one URL, as configured. */
export interface TargetSettings {
  readonly id: string;
  readonly protocol: ModelProtocol;
  /** The only URL that is connected to; without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key?: string;
  readonly local: boolean;
  /** Maximum tokens of request and reply together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Absent: unknown. */
  readonly price?: ModelPrice;
  /** Absent: the model's default. */
  readonly temperature?: number;
  /** Whether the response schema is sent. */
  readonly sendsSchema: boolean;
  readonly limits: CallLimits;
}

/** Milliseconds. Keep-alive data of a server is not content. */
export interface CallLimits {
  /** Until the first content. */
  readonly firstMs: number;
  /** Between two parts of content. */
  readonly idleMs: number;
  /** For the whole call. */
  readonly totalMs: number;
}
