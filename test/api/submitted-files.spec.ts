import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ResultsView, Session, SessionFile } from '@fleet/contracts/sessions';
import { aCycle, aDecision, aFile, anEvent, aNewSession, aRequest, aResult, useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import { GatewayHarness, someReflections, type JsonAnswer } from './gateway-harness';

const hrefOf = (id: string, path: string): string =>
  `/v1/sessions/${id}/files/0${path.split('/').map(encodeURIComponent).join('/')}`;

/** Keeps a cycle whose program worked with a file. */
const workedWith = async (
  { store }: GatewayHarness,
  sessionId: string,
  path: string,
  result = aResult(),
): Promise<void> => {
  const decision = aDecision({ inputs: [{ slot: 'data', path }] });
  await store.records.advance({
    sessionId,
    fromVersion: (await store.records.loadHead(sessionId))?.version ?? 0,
    to: { stage: 'deciding', cycle: 2, attempt: 1 },
    cycleRecord: aCycle({ decision, result }),
    events: [],
    dueInMs: 3_600_000,
  });
};

interface Submitted {
  readonly id: string;
  readonly path: string;
  readonly href: string;
}

describe('files that were submitted', () => {
  const gateway = useStarted('file', () => {
    const bestFiles = ({ request: { inputs } }: Session) =>
      inputs.map((file: SessionFile) => ({ category: 'data_mtz', file, score: 1, stage: 'submitted' }));
    return GatewayHarness.start({ knowledge: { bestFiles } });
  });

  const accepted = async (name: string): Promise<Submitted> => {
    const path = gateway.file(name);
    const { id } = (await gateway.submit({ files: [path] })).json() as Session;
    return { id, path, href: hrefOf(id, path) };
  };
  const submitted = async (name: string): Promise<Submitted> => {
    const made = await accepted(name);
    await workedWith(gateway, made.id, made.path);
    return made;
  };
  const refusal = (answer: JsonAnswer): readonly unknown[] => {
    const { code, detail } = answer.json() as { code: string; detail: string };
    return [answer.status, code, detail];
  };
  const bestOf = async (id: string): Promise<ResultsView['bestFiles'][number] | undefined> =>
    ((await gateway.get(`/v1/sessions/${id}/results`)).json() as ResultsView).bestFiles[0];

  it.each(['plain/data.sca', 'sub folder/größe "x".sca'])(
    'are served as they are, at the address that results give: %s',
    async (name) => {
      const { id, href } = await submitted(name);
      expect(await bestOf(id)).toMatchObject({ cycle: 0, href });
      const answer = await gateway.get(href);
      expect([answer.status, answer.text]).toEqual([200, someReflections]);
      expect(answer.headers['content-type']).toBe('application/octet-stream');
      expect(answer.headers['content-disposition']).toMatch(/^attachment; /);
      const part = await gateway.get(href, { range: 'bytes=1-3' });
      expect([part.status, part.text]).toEqual([206, someReflections.slice(1, 4)]);
    },
  );

  it('are served after a copy with the same content', async () => {
    const { path, href } = await submitted('copied/data.sca');
    rmSync(path);
    writeFileSync(path, someReflections);
    utimesSync(path, 0, 0);
    expect((await gateway.get(href)).text).toBe(someReflections);
  });

  it.each([
    ['no program has', undefined],
    ['a program has failed', aResult({ outcome: 'failed' })],
  ])('are not served where %s worked with them', async (what, result) => {
    const { id, path, href } = await accepted(`${what.replaceAll(' ', '-')}/data.sca`);
    if (result !== undefined) await workedWith(gateway, id, path, result);
    expect(await bestOf(id)).not.toHaveProperty('href');
    expect(refusal(await gateway.get(href)).slice(0, 2)).toEqual([404, 'file.not_found']);
  });

  it('are not served if a program has used only other files', async () => {
    const [one, other] = [gateway.file('two/one.sca'), gateway.file('two/other.sca')];
    const { id } = (await gateway.submit({ files: [one, other] })).json() as Session;
    await workedWith(gateway, id, one);
    const statuses = [hrefOf(id, one), hrefOf(id, other)].map(async (href) => (await gateway.get(href)).status);
    expect(await Promise.all(statuses)).toEqual([200, 404]);
  });

  it.each([
    [
      'holds something else',
      (path: string) => writeFileSync(path, someReflections.replaceAll('1', '2')),
      'its content has changed, at the same length',
    ],
    ['is longer', (path: string) => writeFileSync(path, `${someReflections}\n`), 'bytes and now has'],
    ['is gone', () => undefined, 'it no longer exists'],
    ['is a link', (path: string) => symlinkSync('/etc/passwd', path), 'replaced by a symbolic link'],
    [
      'is a pipe',
      (path: string) => {
        execFileSync('mkfifo', [path]);
      },
      'no longer a regular file',
    ],
    [
      'is a link to itself elsewhere',
      (path: string) => {
        renameSync(`${path}.before`, `${path}.there`);
        symlinkSync(`${path}.there`, path);
      },
      'replaced by a symbolic link',
    ],
  ])('are refused with the reason, once one %s', async (what, replace, why) => {
    const { path, href } = await submitted(`${what.replaceAll(' ', '-')}/data.sca`);
    renameSync(path, `${path}.before`);
    replace(path);
    expect(refusal(await gateway.get(href))).toEqual([409, 'file.changed', expect.stringContaining(why)]);
  });

  it('are refused once a folder on the way has become a link', async () => {
    const { path, href } = await submitted('visit/sub/data.sca');
    const folder = dirname(path);
    renameSync(folder, `${folder}.before`);
    symlinkSync(`${folder}.before`, folder);
    expect(refusal(await gateway.get(href))).toEqual([
      409,
      'file.changed',
      expect.stringContaining('a folder on the way'),
    ]);
  });

  it('are only those of the record', async () => {
    const { id, path } = await submitted('alone/data.sca');
    const other = gateway.file('alone/other.sca');
    for (const requestedPath of [other, '/etc/passwd', dirname(path)])
      expect(refusal(await gateway.get(hrefOf(id, requestedPath))).slice(0, 2)).toEqual([404, 'file.not_found']);
    const encoded = encodeURIComponent(path.slice(1));
    expect((await gateway.get(`/v1/sessions/${id}/files/1/${encoded}`)).status).toBe(404);
  });

  it('are not served without a recorded digest, or outside the folders of the gateway', async () => {
    const path = gateway.file('old/data.sca');
    const elsewhere = aFile({ path: '/etc/hostname', pin: { inode: '1', size: 2, modified: '3' } });
    const request = aRequest({ inputs: [aFile({ path }), elsewhere] });
    const session = aNewSession({ request });
    await gateway.store.records.create(session, [anEvent({ type: 'session_submitted' })], 3_600_000);
    for (const worked of [path, elsewhere.path]) await workedWith(gateway, session.id, worked);
    expect(await bestOf(session.id)).not.toHaveProperty('href');
    for (const requestedPath of [path, elsewhere.path])
      expect(refusal(await gateway.get(hrefOf(session.id, requestedPath))).slice(0, 2)).toEqual([
        404,
        'file.not_found',
      ]);
  });
});

it('are served only to callers who may see the session and download', async () => {
  const keyed = await KeyedGateway.withKeys({ ada: ['mx1'], bob: ['mx9'] });
  try {
    const path = keyed.file('data.sca');
    const root = await keyed.key('root', 'admin');
    const ada = await keyed.key('ada', 'user');
    const { id } = (await keyed.submit({ files: [path], proposal: 'mx1' }, ada)).json() as Session;
    await workedWith(keyed, id, path);
    const statusFor = async (headers: Record<string, string>): Promise<number> =>
      (await keyed.get(hrefOf(id, path), headers)).status;
    expect([await statusFor(root), await statusFor(ada)]).toEqual([200, 200]);
    expect([await statusFor(await keyed.key('bob', 'user')), await statusFor({})]).toEqual([404, 401]);
    expect(await statusFor(await keyed.key('screen', 'kiosk', { proposals: ['mx1'] }))).toBe(403);
  } finally {
    await keyed.stop();
  }
});
