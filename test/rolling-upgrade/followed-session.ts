import type { StoredEvent } from '@fleet/contracts/sessions';
import { setTimeout as sleep } from 'node:timers/promises';
import { SseParser } from '../../apps/cli/src/client/sse-parser';

const pauseMs = 250;

/** A client of a session's event stream that opens it again where it ends, from the last event that it has heard. */
export class FollowedSession {
  /** Ids of events, as they were heard. */
  readonly heard: string[] = [];
  /** How often the stream ended, or could not be opened. */
  cuts = 0;
  private readonly left = new AbortController();
  private readonly loop: Promise<void>;

  constructor(
    private readonly fleet: { readonly url: string; readonly key: string },
    readonly id: string,
  ) {
    this.loop = this.follow();
  }

  async leave(): Promise<void> {
    this.left.abort();
    await this.loop;
  }

  private async follow(): Promise<void> {
    for (;;) {
      try {
        if ((await this.read()) === 'ended') return;
      } catch (error) {
        if (this.left.signal.aborted) return;
        if (!(error instanceof TypeError)) throw error; // fetch: nobody answered, or the connection was cut
      }
      this.cuts += 1;
      await sleep(pauseMs);
    }
  }

  /** Until the connection ends; says whether the session has ended. */
  private async read(): Promise<'cut' | 'ended'> {
    const last = this.heard.at(-1);
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${this.fleet.key}`,
      ...(last !== undefined && { 'last-event-id': last }),
    };
    const { signal } = this.left;
    const answer = await fetch(`${this.fleet.url}/v1/sessions/${this.id}/events`, { headers, signal });
    if (!answer.ok || answer.body === null) return 'cut';
    const parser = new SseParser();
    const decoder = new TextDecoder();
    for await (const piece of answer.body)
      for (const { data } of parser.push(decoder.decode(piece as Uint8Array, { stream: true }))) {
        const event = JSON.parse(data) as StoredEvent;
        this.heard.push(event.id);
        if (event.type === 'session_ended') return 'ended';
      }
    return 'cut';
  }
}
