import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { anyone } from '@fleet/access';
import { anEvent, aNewSession, useStores } from '@fleet/testing';
import type { GatewayOptions } from '../../http/gateway-options';
import { UpdatePages } from './update-pages.service';
import { UpdateStreams } from './update-streams.service';
import { OpenStreams } from './open-streams.service';

const newStore = useStores();

/** A client that reads nothing. */
class StuckResponse extends EventEmitter {
  readonly written: string[] = [];
  destroyed = false;
  ended = false;

  writeHead(): void {
    this.written.push('head');
  }

  write(text: string): boolean {
    this.written.push(text);
    return false;
  }

  end(): void {
    this.ended = true;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

it('drops a client that does not read, sends the reason, and buffers at most a page for it', async () => {
  const store = newStore();
  const options = { heartbeatMs: 20, slowClientMs: 20, eventBatch: 10, maxEventStreams: 5 } as GatewayOptions;
  const unaudited = { finish: () => Promise.resolve() };
  const streams = new UpdateStreams(
    new UpdatePages(store.feed, store.index, options),
    new OpenStreams(options, unaudited),
    options,
  );
  for (let move = 0; move < 50; move += 1) await store.records.create(aNewSession(), [anEvent()], 1000);
  const response = new StuckResponse();
  const principal = (): Promise<typeof anyone> => Promise.resolve(anyone);
  const hearing = { wanted: {}, cursor: '0', isNew: false, principal };
  await streams.run(hearing, response as unknown as ServerResponse, {});
  expect(response.written.slice(0, 2)).toEqual(['head', 'retry: 1000\n\n']);
  expect(response.written[2]?.split('\n\n')).toHaveLength(10 + 1);
  expect(response.written.slice(3)).toEqual([expect.stringContaining('event: end\ndata: {"code":"events.too_slow"')]);
  expect(response.ended).toBe(true);
});
