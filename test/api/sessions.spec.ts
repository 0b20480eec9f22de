import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attemptFiles } from '@fleet/contracts/runs';
import type { Session } from '@fleet/contracts/sessions';
import type { NewSession } from '@fleet/ports';
import { aCycle, aDecision, aFile, anAttempt, aNewSession, anEvent, anId, aResult, useStarted } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

const linkOut = (path: string): void => symlinkSync('/etc/passwd', path);
/** Node itself cannot make a named pipe. */
const makePipe = (path: string): void => {
  execFileSync('mkfifo', [path]);
};
const makeFolder = (path: string): void => mkdirSync(path);

/** Bytes that this process has read from files and sockets. */
const bytesRead = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);

describe('sessions', () => {
  const gateway = useStarted('file', () => GatewayHarness.start());

  const aStored = async (changes: Partial<NewSession> = {}): Promise<string> => {
    const id = changes.id ?? anId();
    const folder = join(gateway.work, 'mx1', id);
    await gateway.store.records.create(
      aNewSession({ folder, ...changes, id }),
      [anEvent({ type: 'session_submitted' })],
      1000,
    );
    return id;
  };
  const advance = async (id: string, record = aCycle()): Promise<void> => {
    const version = (await gateway.store.records.loadHead(id))?.version ?? 0;
    const to = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
    await gateway.store.records.advance({
      sessionId: id,
      fromVersion: version,
      to,
      cycleRecord: record,
      events: [],
      dueInMs: 1000,
    });
  };

  describe('ETag', () => {
    it.each(['', '/status'])('answers 304 for GET id%s until the session moves', async (path) => {
      const id = await aStored();
      const url = `/v1/sessions/${id}${path}`;
      const first = await gateway.get(url);
      const tag = String(first.headers.etag);
      expect(first.status).toBe(200);
      const second = await gateway.get(url, { 'if-none-match': tag });
      expect([second.status, second.text]).toEqual([304, '']);
      expect((await gateway.get(url, { 'if-none-match': `"other", W/${tag}` })).status).toBe(304);
      await advance(id);
      const third = await gateway.get(url, { 'if-none-match': tag });
      expect(third.status).toBe(200);
      expect(third.headers.etag).not.toBe(tag);
    });
  });

  it('lists the newest first, by pages and filters', async () => {
    const ids = [];
    for (let index = 0; index < 5; index += 1) {
      const made = aNewSession();
      ids.push(await aStored({ request: { ...made.request, proposal: 'list', beamline: index < 2 ? 'i03' : 'i04' } }));
    }
    const first = (await gateway.get('/v1/sessions?proposal=list&limit=3')).json() as {
      sessions: Session[];
      nextCursor: string;
    };
    const second = (await gateway.get(`/v1/sessions?proposal=list&limit=3&cursor=${first.nextCursor}`)).json() as {
      sessions: Session[];
    };
    expect([...first.sessions, ...second.sessions].map(({ id }) => id)).toEqual(ids.sort().reverse());
    const filtered = (await gateway.get('/v1/sessions?beamline=i03&status=running')).json() as { sessions: Session[] };
    expect(filtered.sessions).toHaveLength(2);
  });

  it.each(['abc', '000001700000000', '01jd7000000000000000000000', '(+', '1700000000000:x'])(
    'refuses the cursor %s, which no answer gave',
    async (cursor) => {
      const answer = await gateway.get(`/v1/sessions?cursor=${encodeURIComponent(cursor)}`);
      expect([answer.status, answer.json()]).toMatchObject([400, { problems: [{ field: 'cursor' }] }]);
    },
  );

  it('lists by batch, outcome, submitter, text and time, in each order', async () => {
    const { request } = aNewSession();
    const stop = { reason: 'infrastructure', detail: 'lost', afterCycle: 1 } as const;
    const resume = { status: 'failed', stage: 'deciding', cycle: 1, attempt: 1, cycles: [], stop } as const;
    const labels = { batch: 'filters-1', submitter: 'Zoë Q', title: 'fragment & <1>' };
    const one = await aStored({ request: { ...request, ...labels }, createdAt: '2026-11-20T08:00:00.000Z' });
    const other = await aStored({ request: { ...request, ...labels }, createdAt: '2026-11-20T09:00:00.000Z', resume });
    const listed = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const answer = await gateway.get(`/v1/sessions?${new URLSearchParams(query).toString()}`);
      expect(answer.status).toBe(200);
      return (answer.json() as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
    };
    await expect(listed({ batch: 'filters-1' })).resolves.toEqual([other, one]);
    await expect(listed({ batch: 'filters-1', sort: 'created' })).resolves.toEqual([one, other]);
    await expect(listed({ batch: 'filters-1', outcome: 'failed_infrastructure' })).resolves.toEqual([other]);
    await expect(listed({ submitter: 'Zoë Q', since: '2026-11-20T08:30:00Z' })).resolves.toEqual([other]);
    await expect(listed({ submitter: 'Zoë Q', until: '2026-11-20T08:30:00+00:00' })).resolves.toEqual([one]);
    await expect(listed({ text: 'AGMENT &' })).resolves.toEqual([other, one]);
    await expect(listed({ text: other.slice(0, 25), sort: 'title' })).resolves.toContain(other);
  });

  it.each([
    ['outcome=completed', 'outcome'],
    ['batch=A', 'batch'],
    ['submitter=', 'submitter'],
    ['text=', 'text'],
    ['since=yesterday', 'since'],
    ['until=1999-01-01T00:00:00Z', 'until'],
    ['sort=size', 'sort'],
    ['spaceGroup=P%207', 'spaceGroup'],
    ['cell=78,78,37,30,30,120', 'cell'],
    ['cell=78,78,37,90,90,90&cellTolerance=11', 'cellTolerance'],
    ['cellTolerance=1', 'cellTolerance'],
    ['minRFree=20', 'minRFree'],
    ['minRFree=0.3&maxRFree=0.2', 'minRFree'],
    ['ligand=NAG,BMA', 'ligand'],
    ['cursor=000001700000000:01jd7000000000000000000000', 'cursor'],
  ])('refuses ?%s and names %s', async (query, field) => {
    const answer = await gateway.get(`/v1/sessions?${query}`);
    expect([answer.status, answer.json()]).toMatchObject([400, { problems: [{ field }] }]);
  });

  describe('cancel', () => {
    it('marks the session, wakes the executor and may be repeated', async () => {
      const id = await aStored();
      const first = await gateway.send('POST', `/v1/sessions/${id}/cancel`);
      expect([first.status, (first.json() as Session).status]).toEqual([202, 'cancelling']);
      expect(gateway.woken.at(-1)).toMatchObject({ id, status: 'cancelling' });
      expect((await gateway.send('POST', `/v1/sessions/${id}/cancel`)).status).toBe(202);
    });

    it('refuses a session with another end', async () => {
      const stop = { reason: 'converged', detail: 'done', afterCycle: 0 } as const;
      const id = await aStored({
        resume: { status: 'completed', stage: 'deciding', cycle: 1, attempt: 1, cycles: [], stop },
      });
      const answer = await gateway.send('POST', `/v1/sessions/${id}/cancel`);
      expect([answer.status, (answer.json() as { code: string }).code]).toEqual([409, 'session.ended']);
    });
  });

  describe('logs', () => {
    const logged = async (content: string | Buffer, ended = true): Promise<string> => {
      const id = await aStored();
      const { ending, ...running } = anAttempt();
      const record = aCycle({ attempts: [ended && ending !== undefined ? { ...running, ending } : running] });
      await advance(id, record);
      const path = join(gateway.work, 'mx1', id, 'c001-refine/a1', attemptFiles.log);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return `/v1/sessions/${id}/cycles/1/log`;
    };

    const logPathOf = (url: string): string =>
      join(gateway.work, 'mx1', url.split('/')[3] ?? '', 'c001-refine/a1', attemptFiles.log);

    it('returns bytes by offset until it is complete', async () => {
      const url = await logged('0123456789');
      const first = await gateway.get(`${url}?limit=4`);
      expect(first.text).toBe('0123');
      expect(first.headers).toMatchObject({ 'x-log-next-offset': '4', 'x-log-size': '10', 'x-log-complete': 'false' });
      const rest = await gateway.get(`${url}?offset=4`);
      expect(rest.text).toBe('456789');
      expect(rest.headers).toMatchObject({ 'x-log-next-offset': '10', 'x-log-complete': 'true' });
    });

    it('returns the end for a negative offset, and nothing beyond the end', async () => {
      const url = await logged('0123456789');
      expect((await gateway.get(`${url}?offset=-3`)).text).toBe('789');
      expect((await gateway.get(`${url}?offset=-30`)).text).toBe('0123456789');
      const beyond = await gateway.get(`${url}?offset=99999999999`);
      expect([beyond.text, beyond.headers['x-log-next-offset']]).toEqual(['', '10']);
    });

    it('is not complete while the program runs', async () => {
      const url = await logged('abc', false);
      expect((await gateway.get(url)).headers['x-log-complete']).toBe('false');
    });

    it('returns bytes that are not UTF-8 unchanged', async () => {
      const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
      const url = await logged(bytes);
      const answer = await gateway.app.inject({ method: 'GET', url });
      expect(answer.rawPayload.equals(bytes)).toBe(true);
    });

    it('reads only the requested bytes of a log of 1 GB', async () => {
      const url = await logged('');
      truncateSync(logPathOf(url), 2 ** 30);
      const before = bytesRead();
      const answer = await gateway.get(`${url}?offset=-1000`);
      expect([answer.text.length, answer.headers['x-log-size']]).toEqual([1000, String(2 ** 30)]);
      expect(bytesRead() - before).toBeLessThan(2 ** 20);
    });

    it('keeps its offset while the file is missing, as during its publication', async () => {
      const url = await logged('0123456789', false);
      rmSync(logPathOf(url));
      const answer = await gateway.get(`${url}?offset=7`);
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(answer.headers).toMatchObject({ 'x-log-next-offset': '7', 'x-log-complete': 'false' });
    });

    it('is found under its new name when it is published during the request', async () => {
      const url = await logged('0123456789', false);
      const path = logPathOf(url);
      jest.spyOn(gateway.folder, 'logPath').mockReturnValueOnce(`${path}.just-renamed`);
      expect((await gateway.get(`${url}?offset=7`)).text).toBe('789');
    });

    it.each([
      ['a link out of the session', linkOut],
      ['a pipe', makePipe],
      ['a folder', makeFolder],
    ])('is not read if a program has replaced it by %s', async (_, replace) => {
      const url = await logged('abc');
      rmSync(logPathOf(url));
      replace(logPathOf(url));
      const answer = await gateway.get(url);
      expect([answer.status, (answer.json() as { code: string }).code]).toEqual([404, 'log.not_found']);
    });

    it('answers 404 for an unknown cycle and an unknown attempt', async () => {
      const url = await logged('abc');
      const noCycle = await gateway.get(url.replace('cycles/1', 'cycles/9'));
      expect([noCycle.status, (noCycle.json() as { code: string }).code]).toEqual([404, 'cycle.not_found']);
      expect((await gateway.get(`${url}?attempt=0`)).status).toBe(400);
      const noLog = await gateway.get(`${url}?attempt=7`);
      expect([noLog.status, (noLog.json() as { code: string }).code]).toEqual([404, 'log.not_found']);
    });
  });

  describe('results and files', () => {
    const withOutputs = async (names: readonly string[]): Promise<{ id: string; folder: string }> => {
      const id = await aStored();
      const folder = join(gateway.work, 'mx1', id);
      const outputs = names.map((name) => {
        const path = join(folder, 'c001-refine/a1', name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, `content of ${name}`);
        return aFile({ path, size: 11 + name.length, cycle: 1, program: 'phenix.refine', facts: { format: 'pdb' } });
      });
      const result = aResult({ metrics: { r_free: 0.22 }, outputs });
      await advance(id, aCycle({ decision: aDecision(), result }));
      return { id, folder };
    };
    interface Results {
      readonly files: readonly { readonly name: string; readonly href: string; readonly size: number }[];
      readonly metrics: readonly unknown[];
    }

    it('lists files with URLs of their content, for any file name', async () => {
      const names = ['model_001.pdb', 'sub folder/größe "x" $(id).pdb', 'new\nline.pdb'];
      const { id } = await withOutputs(names);
      const results = (await gateway.get(`/v1/sessions/${id}/results`)).json() as Results;
      expect(results.files.map(({ name }) => name)).toEqual(names);
      for (const { name, href } of results.files) {
        const answer = await gateway.get(href);
        expect([answer.status, answer.text]).toEqual([200, `content of ${name}`]);
        expect(answer.headers['content-disposition']).toMatch(
          /^attachment; filename="[A-Za-z0-9._-]+"; filename\*=UTF-8''/,
        );
      }
      expect(results.metrics).toEqual([{ name: 'r_free', value: 0.22, cycle: 1, program: 'phenix.refine' }]);
    });

    it.each(['../../../session.json', '..%2F..%2Fsession.json', 'program.log', '%2Fetc%2Fpasswd', '.fleet/spec.json'])(
      'serves nothing that is not in the record: %s',
      async (name) => {
        const { id } = await withOutputs(['model.pdb']);
        expect((await gateway.get(`/v1/sessions/${id}/files/1/${name}`)).status).toBe(404);
      },
    );

    it('does not follow a link out of the session', async () => {
      const { id, folder } = await withOutputs(['model.pdb']);
      const path = join(folder, 'c001-refine/a1/model.pdb');
      rmSync(path);
      symlinkSync('/etc/passwd', path);
      expect((await gateway.get(`/v1/sessions/${id}/files/1/model.pdb`)).status).toBe(404);
    });

    it.each([
      ['pipe', makePipe],
      ['folder', makeFolder],
    ])('serves no %s that replaced a file', async (_, replace) => {
      const { id, folder } = await withOutputs(['model.pdb']);
      const path = join(folder, 'c001-refine/a1/model.pdb');
      rmSync(path);
      replace(path);
      expect((await gateway.get(`/v1/sessions/${id}/files/1/model.pdb`)).status).toBe(404);
    });

    it('reports a missing file', async () => {
      const { id, folder } = await withOutputs(['model.pdb']);
      rmSync(join(folder, 'c001-refine/a1/model.pdb'));
      const answer = await gateway.get(`/v1/sessions/${id}/files/1/model.pdb`);
      expect([answer.status, (answer.json() as { code: string }).code]).toEqual([404, 'file.not_found']);
    });

    it('marks a session with a simulated program', async () => {
      const id = await aStored();
      await advance(id, aCycle({ attempts: [anAttempt({ provider: 'simulated' })] }));
      expect((await gateway.get(`/v1/sessions/${id}`)).json()).toMatchObject({ simulated: true });
      expect((await gateway.get(`/v1/sessions/${id}/results`)).json()).toMatchObject({ simulated: true });
    });

    it('returns the summary as Markdown', async () => {
      const id = await aStored();
      const answer = await gateway.get(`/v1/sessions/${id}/summary`);
      expect([answer.headers['content-type'], answer.text]).toEqual(['text/markdown; charset=utf-8', '# a dataset\n']);
    });
  });
});
