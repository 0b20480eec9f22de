import type { BatchRow, BatchRowPage, BatchView } from '@fleet/contracts/batches';
import { eventually } from '@fleet/testing';
import type { GatewayHarness, JsonAnswer } from './gateway-harness';

/** Batches of a gateway, as a caller with these headers makes and sees them. */
export class BatchClient {
  constructor(
    private readonly gateway: GatewayHarness,
    private readonly headers: () => Record<string, string> = () => ({}),
  ) {}

  readonly made = async (body: object = {}, more: Record<string, string> = {}): Promise<BatchView> => {
    const answer = await this.gateway.send('POST', '/v1/batches', { body, headers: { ...this.headers(), ...more } });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json() as BatchView;
  };

  readonly send = (id: string, raw: string, type = 'text/csv', query = ''): Promise<JsonAnswer> =>
    this.gateway.send('POST', `/v1/batches/${id}/rows${query}`, {
      raw,
      headers: { ...this.headers(), 'content-type': type },
    });

  readonly shown = async (id: string): Promise<BatchView> =>
    (await this.gateway.get(`/v1/batches/${id}`, this.headers())).json() as BatchView;

  readonly rowsOf = async (id: string, query = '?limit=500'): Promise<readonly BatchRow[]> =>
    ((await this.gateway.get(`/v1/batches/${id}/rows${query}`, this.headers())).json() as BatchRowPage).rows;

  readonly until = (id: string, done: (batch: BatchView) => boolean): Promise<BatchView> =>
    eventually('the batch', async () => {
      const batch = await this.shown(id);
      return done(batch) && batch;
    });

  /** When none of its rows waits to be checked. */
  readonly lookedAt = (id: string): Promise<BatchView> => this.until(id, ({ states }) => states.waiting === 0);
}
