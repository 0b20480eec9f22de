import type { ModelAnswer, ModelMessage, ModelPrice, ModelRequest, ModelTarget } from '@fleet/ports';
import { CallWatch } from './call-watch';
import { classify, type CallFailure } from './classify';
import { Exchange, type Connections, type WireTrace } from './exchange';
import type { Finish, Piece, Protocol } from './piece';
import type { TargetSettings } from './target-settings';
import { apart } from './thoughts';
import { TokenMeter } from './token-meter';

/** Characters: more than any useful reply. */
const longestReply = 256 * 1024;

/** The result of a call. */
interface Gathered {
  text: string;
  thinking: string;
  finish?: Finish;
  usage: { inputTokens?: number; outputTokens?: number };
}

const add = (to: Gathered, { text = '', thinking = '', finish, usage }: Piece): void => {
  to.text += text;
  to.thinking += thinking;
  if (finish !== undefined) to.finish = finish;
  if (usage?.inputTokens !== undefined) to.usage.inputTokens = usage.inputTokens;
  if (usage?.outputTokens !== undefined) to.usage.outputTokens = usage.outputTokens;
};

/** Why a completed response is not a reply. */
const noReply = ({ text, thinking, finish }: Gathered): CallFailure | undefined => {
  if (finish === 'refused') return { class: 'refused', why: 'the model refuses to answer' };
  if (finish === 'overflow') return { class: 'overflow', why: 'the messages are longer than the context of the model' };
  if (finish === undefined) return { class: 'bad_answer', why: 'the answer ended without an end marker' };
  if (text.trim() !== '') return undefined;
  const thought = thinking === '' ? 'the answer is empty' : 'the answer is empty: only thoughts';
  return { class: 'bad_answer', why: thought };
};

/** A target behind one of the protocols: always streamed, with time limits, never retried. */
export class StreamedTarget implements ModelTarget {
  readonly id: string;
  readonly model: string;
  readonly local: boolean;
  readonly maxOutputTokens: number;
  readonly price?: ModelPrice;
  private readonly meter = new TokenMeter();

  constructor(
    private readonly settings: TargetSettings,
    private readonly protocol: Protocol,
    private readonly connections: Connections,
  ) {
    ({ id: this.id, model: this.model, local: this.local, maxOutputTokens: this.maxOutputTokens } = settings);
    if (settings.price !== undefined) this.price = settings.price;
  }

  /** Reserves the maximum reply length, at most half of a short context. */
  fits(messages: readonly ModelMessage[]): boolean {
    const { contextTokens, maxOutputTokens } = this.settings;
    return this.meter.estimate(messages) <= contextTokens - Math.min(maxOutputTokens, contextTokens / 2);
  }

  async ask(request: ModelRequest, signal?: AbortSignal): Promise<ModelAnswer> {
    const began = performance.now();
    const watch = new CallWatch(this.settings.limits, signal);
    const exchange = new Exchange(this.settings, this.connections, watch.signal);
    const gathered: Gathered = { text: '', thinking: '', usage: {} };
    let verdict: CallFailure | undefined;
    try {
      await this.gather(this.protocol(this.settings, request, exchange), gathered, watch);
      Object.assign(gathered, this.toldApart(gathered));
      // A client may treat a broken connection as the end.
      verdict = exchange.seen.broken === undefined ? noReply(gathered) : classify(exchange.seen, undefined);
    } catch (error) {
      verdict = watch.ended ?? classify(exchange.seen, error);
    } finally {
      watch.close();
    }
    const { inputTokens } = gathered.usage;
    if (verdict === undefined && inputTokens !== undefined) this.meter.learn(request.messages, inputTokens);
    return this.answer(gathered, verdict, exchange.seen, Math.round(performance.now() - began));
  }

  private async gather(pieces: AsyncIterable<Piece>, gathered: Gathered, watch: CallWatch): Promise<void> {
    const stream = pieces[Symbol.asyncIterator]();
    for (;;) {
      const next = await watch.until(stream.next());
      if (next.done === true) return;
      add(gathered, next.value);
      if ((next.value.text ?? '') !== '' || (next.value.thinking ?? '') !== '') watch.sawContent();
      if (gathered.text.length + gathered.thinking.length > longestReply)
        throw new Error(`the answer is longer than ${longestReply} characters`);
    }
  }

  private toldApart({ text, thinking }: Gathered): Pick<Gathered, 'text' | 'thinking'> {
    const parts = apart(text);
    return { text: parts.text, thinking: thinking + parts.thinking };
  }

  private answer(
    { text, thinking, finish, usage }: Gathered,
    verdict: CallFailure | undefined,
    { status, retryAfterMs }: WireTrace,
    latencyMs: number,
  ): ModelAnswer {
    if (verdict === undefined)
      return { ok: true, reply: { text, thinking, finish: finish === 'length' ? 'length' : 'stop', usage, latencyMs } };
    const details = { ...(status !== undefined && { status }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
    return { ok: false, failure: { ...verdict, ...details, usage, latencyMs } };
  }
}
