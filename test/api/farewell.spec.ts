import { Agent, get, type IncomingMessage } from 'node:http';
import { eventually } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

/** Longer than a test may take: a wait for it never ends. */
const farewellMs = 600_000;

/** One answer over one of the agent's connections. */
const ask = (url: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(new URL('/v1/sessions', url), { agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer));
    }).on('error', reject);
  });

describe('a gateway that stops', () => {
  let gateway: GatewayHarness;
  let url: string;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  beforeEach(async () => {
    gateway = await GatewayHarness.start({ farewellMs });
    url = await gateway.listen();
  });
  afterEach(() => agent.destroy());

  it('answers a request on a kept-alive connection with Connection: close, and stops when none is open', async () => {
    expect((await ask(url, agent)).headers.connection).toBe('keep-alive');
    const stopping = gateway.stop();
    const last = await eventually('the last answer', async () => {
      const answer = await ask(url, agent);
      return answer.headers.connection === 'close' && answer;
    });
    expect(last.statusCode).toBe(200);
    await stopping;
    await expect(ask(url, agent)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('stops at once when no connection is kept alive', async () => {
    await gateway.stop();
    await expect(ask(url, agent)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
