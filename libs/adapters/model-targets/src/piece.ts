import type { ModelReply, ModelRequest, ModelUsage } from '@fleet/ports';
import type { Exchange } from './exchange';
import type { TargetSettings } from './target-settings';

/** How a model ended. Some report `refused` and `overflow` in the middle of a stream. */
export type Finish = ModelReply['finish'] | 'refused' | 'overflow';

/** A part of a stream, in a form common to all protocols. */
export interface Piece {
  readonly text?: string | undefined;
  readonly thinking?: string | undefined;
  readonly finish?: Finish | undefined;
  readonly usage?: { readonly [name in keyof ModelUsage]: number | undefined } | undefined;
}

/** Sends one request and yields the response; ends when `exchange` is aborted. */
export type Protocol = (
  settings: TargetSettings,
  request: ModelRequest,
  exchange: Pick<Exchange, 'fetch' | 'signal'>,
) => AsyncIterable<Piece>;
