import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { MemberAnswer } from '@fleet/contracts/access';
import type { MemberAnswers } from '@fleet/ports';
import { ManualClock } from '@fleet/testing';
import { MembersHook, type HookSettings } from './members-hook';

const minute = 60_000;
const hour = 60 * minute;

/** Stores answers like Redis, without expiry. */
class KeptAnswers implements MemberAnswers {
  readonly kept = new Map<string, MemberAnswer>();

  find(question: string): Promise<MemberAnswer | undefined> {
    return Promise.resolve(this.kept.get(question));
  }

  keep(question: string, answer: MemberAnswer): Promise<void> {
    this.kept.set(question, answer);
    return Promise.resolve();
  }
}

describe('MembersHook', () => {
  let server: Server;
  let url: string;
  let answer: RequestListener;
  let requests: string[];
  let clock: ManualClock;
  let answers: KeptAnswers;
  /** Short if no response is expected; long enough for a slow machine otherwise. */
  let patienceMs: number;
  const listen = (port = 0): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  beforeEach(async () => {
    requests = [];
    patienceMs = 5_000;
    clock = new ManualClock();
    answers = new KeptAnswers();
    answer = says({ proposals: ['mx1', 'mx2'] });
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      answer(request, response);
    });
    await listen();
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/members`;
  });
  afterEach(close);
  const says =
    (body: unknown, status = 200): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
  const hook = (token?: string): MembersHook => new MembersHook(settings(token), answers, clock);
  const settings = (token: string | undefined): HookSettings => ({
    url,
    token,
    freshMs: 5 * minute,
    get timeoutMs() {
      return patienceMs;
    },
  });
  const refusal = (names: Promise<unknown>): Promise<unknown> => names.catch((error: unknown) => error);

  it('queries the proposals of a user and the beamlines of a proposal, with its token', async () => {
    let shown: string | undefined;
    answer = (request, response) => {
      shown = request.headers.authorization;
      says(requests.length === 1 ? { proposals: ['mx1'], name: 'Ada' } : { beamlines: ['i04'] })(request, response);
    };
    const members = hook('a-secret');
    expect(await members.proposalsOf('ada@example.org')).toEqual(['mx1']);
    expect(await members.beamlinesOf('mx1')).toEqual(['i04']);
    expect([requests, shown]).toEqual([
      ['/members?owner=ada%40example.org', '/members?proposal=mx1'],
      'Bearer a-secret',
    ]);
    answer = says({});
    expect(await members.beamlinesOf('mx2')).toEqual([]);
  });

  it('queries once for all gateways and concurrent callers, until the answer is five minutes old', async () => {
    const [one, other] = [hook(), hook()];
    const all = await Promise.all(Array.from({ length: 50 }, () => one.proposalsOf('ada')));
    expect(new Set(all.map((names) => names.join()))).toEqual(new Set(['mx1,mx2']));
    expect(await other.proposalsOf('ada')).toEqual(['mx1', 'mx2']);
    expect(requests).toHaveLength(1);
    answer = says({ proposals: ['mx2'] });
    clock.forward(5 * minute - 1);
    expect(await one.proposalsOf('ada')).toEqual(['mx1', 'mx2']);
    clock.forward(1);
    expect([await one.proposalsOf('ada'), await other.proposalsOf('ada')]).toEqual([['mx2'], ['mx2']]);
    expect(requests).toHaveLength(2);
  });

  const bad: readonly (readonly [string, RequestListener])[] = [
    ['hangs', () => undefined],
    ['begins and never ends', (_, response) => void response.writeHead(200).write('{"proposals": [')],
    ['breaks off', (_, response) => void response.destroy()],
    ['fails', says({ error: 'no' }, 500)],
    ['is away behind its proxy', says({ proposals: ['mx9'] }, 503)],
    ['knows nobody', says({}, 404)],
    ['wants another token', says({ proposals: ['mx9'] }, 401)],
    ['answers with a page', (_, response) => void response.writeHead(200).end('<!doctype html><p>Log in</p>')],
    ['answers with 10 MB', (_, response) => void response.writeHead(200).end('['.repeat(10_000_000))],
    [
      'answers with 10 MB that travel as few',
      (_, response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(' '.repeat(10_000_000))),
    ],
    ['answers nothing', (_, response) => void response.writeHead(200).end()],
    ['answers with something else', says(['mx9'])],
    ['names what is not a proposal', says({ proposals: ['mx1', '../mx9'] })],
    ['names every proposal', says({ proposals: ['*'] })],
    ['names a number', says({ proposals: [9] })],
    ['forgets the proposals', says({ proposal: ['mx9'] })],
  ];

  it.each(bad)('uses the last answer for a day while the office %s, and has none for others', async (_, trouble) => {
    const members = hook();
    await members.proposalsOf('ada');
    answer = trouble;
    patienceMs = 200;
    clock.forward(6 * minute);
    expect(await members.proposalsOf('ada')).toEqual(['mx1', 'mx2']);
    expect(await refusal(members.proposalsOf('eve'))).toMatchObject({ code: 'access.members_unavailable' });
    clock.forward(23 * hour);
    expect(await hook().proposalsOf('ada')).toEqual(['mx1', 'mx2']);
    clock.forward(hour);
    expect(await refusal(members.proposalsOf('ada'))).toMatchObject({ code: 'access.members_unavailable' });
    answer = says({ proposals: ['mx3'] });
    patienceMs = 5_000;
    clock.forward(10_000);
    expect(await members.proposalsOf('ada')).toEqual(['mx3']);
  });

  it('follows no redirect', async () => {
    let followed = false;
    answer = ({ url: path = '' }, response) => {
      followed ||= path.startsWith('/elsewhere');
      response.writeHead(302, { location: '/elsewhere' }).end();
    };
    expect(await refusal(hook().proposalsOf('ada'))).toMatchObject({ code: 'access.members_unavailable' });
    expect([requests.length, followed]).toEqual([1, false]);
  });

  it('does not wait again for an unavailable office, and checks once in ten seconds whether it is back', async () => {
    const members = hook();
    await members.proposalsOf('ada');
    const { port } = server.address() as AddressInfo;
    await close();
    clock.forward(6 * minute);
    for (let times = 0; times < 3; times += 1) expect(await members.proposalsOf('ada')).toEqual(['mx1', 'mx2']);
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      answer(request, response);
    });
    await listen(port);
    // It is back, but not checked yet.
    expect(await refusal(members.proposalsOf('eve'))).toMatchObject({ code: 'access.members_unavailable' });
    expect(requests).toHaveLength(1);
    answer = says({ proposals: ['mx4'] });
    clock.forward(10_000);
    expect(await members.proposalsOf('eve')).toEqual(['mx4']);
    expect(await members.proposalsOf('ada')).toEqual(['mx4']);
    expect(requests).toHaveLength(3);
  });

  it('continues to query others if it cannot answer for one', async () => {
    answer = (request, response) =>
      says({ proposals: ['mx1'] }, request.url?.includes('eve') === true ? 500 : 200)(request, response);
    const members = hook();
    expect(await refusal(members.proposalsOf('eve'))).toMatchObject({ code: 'access.members_unavailable' });
    expect(await refusal(members.proposalsOf('eve'))).toMatchObject({ code: 'access.members_unavailable' });
    expect(await members.proposalsOf('ada')).toEqual(['mx1']);
    expect(requests).toHaveLength(2);
  });

  it('queries again when the clock was set back', async () => {
    const members = hook();
    await members.proposalsOf('ada');
    clock.forward(-hour);
    await members.proposalsOf('ada');
    expect(requests).toHaveLength(2);
  });
});
