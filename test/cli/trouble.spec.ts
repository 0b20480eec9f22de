import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { anEvent, anId, aSession } from '@fleet/testing';
import { sessionEvents } from '../../apps/cli/src/client/session-events';
import { GatewayClient } from '../../apps/cli/src/client/gateway-client';
import { runPhx } from './scripted-terminal';

const json = { 'content-type': 'application/json' };

describe('phx with a misbehaving gateway', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  const serving = async (handler: RequestListener, port = 0): Promise<string> => {
    const server = createServer(handler);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  };

  it('keeps the path prefix of a proxy in the URL', async () => {
    const requests: string[] = [];
    const url = await serving(({ url: path = '' }, response) => {
      requests.push(path);
      response.writeHead(200, json).end('{"sessions":[],"windows":[]}');
    });
    for (const server of [`${url}/fleet`, `${url}/fleet/`, url, `${url}/`])
      expect((await runPhx(['--server', server, 'list'])).code).toBe(0);
    expect(requests).toEqual([
      ...Array<string[]>(2).fill(['/fleet/v1/sessions?limit=50', '/fleet/v1/metrics', '/fleet/v1/maintenance']).flat(),
      ...Array<string[]>(2).fill(['/v1/sessions?limit=50', '/v1/metrics', '/v1/maintenance']).flat(),
    ]);
  });

  it('retries after a rate limit, and reports the reason once', async () => {
    const requests: string[] = [];
    const url = await serving(({ method = '', headers, url: path }, response) => {
      if (path === '/v1/maintenance') return void response.writeHead(200, json).end('{"windows":[]}');
      if (path === '/v1/submissions/preview')
        return void response.writeHead(200, json).end('{"files":[],"problems":[]}');
      requests.push(`${method} ${String(headers['idempotency-key'])}`);
      if (requests.length > 2) return void response.writeHead(201, json).end(JSON.stringify(aSession()));
      const when = requests.length === 1 ? '0' : new Date(Date.now() - 1000).toUTCString();
      response.writeHead(429, { ...json, 'retry-after': when }).end('{}');
    });
    const { code, err } = await runPhx(['--server', url, 'submit', '/data/x.mtz', '--idempotency-key', 'visit-7']);
    expect([code, requests]).toEqual([0, Array<string>(3).fill('POST visit-7')]);
    expect(err.split('too many requests')).toHaveLength(2);
  });

  it.each([
    ['for hours', { 'retry-after': '7200' }],
    ['without saying when', {}],
  ])('does not wait %s', async (_, headers) => {
    const problem = {
      code: 'request.too_many',
      title: 'Too many requests',
      detail: 'Try again in 7200 s.',
      status: 429,
    };
    const url = await serving((__, response) => {
      response.writeHead(429, { ...json, ...headers }).end(JSON.stringify(problem));
    });
    const { code, err } = await runPhx(['--server', url, 'list']);
    expect([code, err]).toEqual([3, expect.stringContaining('Try again in 7200 s.')]);
  });

  it.each([
    [500, 5, 'request id shift-7'],
    [404, 4, ''],
  ])('prints the request id of a service failure: %d', async (status, exit, said) => {
    const problem = { code: 'x.y', title: 'No', detail: 'It cannot be.', status, requestId: 'shift-7' };
    const url = await serving((_, response) => response.writeHead(status, json).end(JSON.stringify(problem)));
    const { code, err } = await runPhx(['--server', url, 'list']);
    expect([code, err.split('\n').slice(1).join('').trim()]).toEqual([exit, said]);
  });

  it.each(['http://127.0.0.1/?x=1', 'http://127.0.0.1/#x', 'http://user:word@127.0.0.1/'])(
    'rejects unused parts of a URL: %s',
    async (server) => {
      const { code, err } = await runPhx(['--server', server, 'list']);
      expect([code, err]).toEqual([2, expect.stringContaining('--server')]);
    },
  );

  it('rejects the response of another server, and does not submit twice', async () => {
    let requests = 0;
    const url = await serving((_, response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Please log in</p>');
    });
    const { code, err } = await runPhx(['--server', url, 'submit', '/data/x.mtz']);
    expect([code, requests]).toEqual([5, 1]);
    expect(err).toContain('is not a phenix-fleet gateway');
  });

  it('leaves no partial file after an interrupted download, and reports it', async () => {
    const session = anId();
    const files = [
      {
        cycle: 1,
        program: 'phenix.refine',
        name: 'model.pdb',
        path: '/work/model.pdb',
        size: 100,
        format: 'pdb',
        href: '/file',
      },
    ];
    const url = await serving(({ url: path = '' }, response) => {
      if (path.endsWith('/results'))
        return void response.writeHead(200, json).end(JSON.stringify({ files, bestFiles: [], summary: '/summary' }));
      if (path === '/summary') return void response.writeHead(200).end('# done\n');
      response.writeHead(200, { 'content-length': '100' });
      response.write('ATOM', () => response.destroy());
    });
    const folder = mkdtempSync(join(tmpdir(), 'phx-'));
    const { code, err } = await runPhx(['--server', url, 'results', session, '--download', folder]);
    expect([code, err]).toEqual([5, expect.stringContaining('cannot be reached')]);
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.pdb'))).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('keeps characters whole across two chunks of a log', async () => {
    const log = Buffer.from('2.1 Å\n');
    const cut = log.indexOf(0x85);
    const session: Session = aSession({ status: 'completed' });
    const cycles = [{ cycle: 1, decision: { program: 'phenix.refine' }, attempts: [{ attempt: 1 }] }];
    const url = await serving(({ url: path = '' }, response) => {
      if (!path.includes('/log')) return void response.writeHead(200, json).end(JSON.stringify({ ...session, cycles }));
      const offset = Number(new URL(path, 'http://x').searchParams.get('offset'));
      const next = offset < cut ? cut : log.length;
      response
        .writeHead(200, {
          'x-log-next-offset': next,
          'x-log-size': log.length,
          'x-log-complete': String(next === log.length),
        })
        .end(log.subarray(offset, next));
    });
    const { out } = await runPhx(['--server', url, 'logs', session.id, '--json']);
    const texts = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { text: string }).text);
    expect(texts.join('')).toBe('2.1 Å\n');
    const seen: string[] = [];
    await runPhx(['--server', url, 'logs', session.id], { live: true, onOut: (text) => seen.push(text) });
    expect(seen.join('')).toBe('2.1 Å\n');
  });

  it('measures each outage from its own start', async () => {
    let connections = 0;
    let ms = 0;
    const frame = (id: string): string => `id: ${id}\ndata: ${JSON.stringify({ ...anEvent(), id })}\n\n`;
    const url = await serving((_, response) => {
      connections += 1;
      // The third time nobody is there for a moment, as while a gateway restarts.
      if (connections === 3) return void response.writeHead(502).end('away');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 1000\n\n');
      if (connections === 1) return void response.end(frame('1-0'));
      if (connections === 4) return void response.end(`${frame('2-0')}event: end\ndata: {}\n\n`);
      // Signs of life without news, for longer than an absence may last.
      const beats = setInterval(() => {
        ms += 100;
        response.write(': waiting\n\n');
        if (ms < 1000) return;
        clearInterval(beats);
        response.end();
      }, 5);
    });
    const pause = (): Promise<void> => Promise.resolve();
    const rules = { firstPauseMs: 5, longestPauseMs: 5, giveUpMs: 200, onLost: jest.fn(), pause, now: () => ms };
    const client = new GatewayClient(url, new AbortController().signal);
    const seen: string[] = [];
    for await (const { id } of sessionEvents(client, anId(), '0', rules)) seen.push(id);
    expect(seen).toEqual(['1-0', '2-0']);
    expect(rules.onLost).toHaveBeenCalledTimes(2);
  });
});
