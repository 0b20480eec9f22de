import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { anyone, readDataRoot, sharedRoot, type DataRoot } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import type { BatchRowPage, BatchView } from '@fleet/contracts/batches';
import { scopesOfRole } from '@fleet/contracts/route';
import type { ProblemDetails, Session } from '@fleet/contracts/sessions';
import type { FolderView, SubmissionReading } from '@fleet/contracts/submissions';
import type { FileInspector } from '@fleet/ports';
import { aCycle, aDecision, aNewSession, anEvent, anId, aResult, eventually, useFolder } from '@fleet/testing';
import { KeyedGateway } from '../api/keyed-gateway';
import { someReflections, type JsonAnswer } from '../api/gateway-harness';
import { inspector as realInspector } from '../support/inspector';

/**
 * The attack of 2026-11-25: with keys in force, a user of mx1 listed the folder of mx2, and submitted its reflections in a session of mx1.
 * Each way in by which a path comes, against each owner and each way of writing a path.
 */
const rootOf = (text: string): DataRoot => {
  const root = readDataRoot(text);
  if (typeof root === 'string') throw new Error(root);
  return root;
};

type Headers = Record<string, string>;
type Visibility = 'served' | 'as if it did not exist';

describe('proposals are separated', () => {
  const root = useFolder('file');
  let gateway: KeyedGateway;
  let ada: Headers;
  let beforeLook: (path: string) => void;

  const data = (...names: string[]): string => join(root, 'data/i03/2026', ...names);
  const write = (path: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, someReflections);
    return path;
  };

  beforeAll(async () => {
    const names = ['mx1', 'mx2', 'MX2', 'm\u0445 1', 'beam time', 'mx1-old'];
    for (const name of names) write(data(name, 'raw/data.sca'));
    write(join(root, 'data/i04/2026/mx2/raw/data.sca'));
    write(join(root, 'data/i03/notes.sca'));
    write(join(root, 'shared/library/data.sca'));
    mkdirSync(join(root, 'flat/mx3'), { recursive: true });
    write(join(root, 'flat/mx3/data.sca'));
    mkdirSync(data('mx1/links'));
    mkdirSync(data('mx1/own'));
    symlinkSync(data('mx2/raw/data.sca'), data('mx1/links/link.sca'));
    symlinkSync(data('mx2/raw'), data('mx1/links/linked'));
    symlinkSync(data('mx2/nothing'), data('mx1/links/nowhere.sca'));
    symlinkSync(data('mx1/raw/data.sca'), data('mx1/own/own link.sca'));
    symlinkSync(join(root, 'shared/library'), data('mx1/links/library'));
    const looking = realInspector;
    const inspector: FileInspector = {
      inspect: (path, ...more) => {
        beforeLook(path);
        return looking.inspect(path, ...more);
      },
    };
    const dataRoots = [
      rootOf(`${root}/data/{beamline}/{year}/{proposal}`),
      rootOf(`${root}/flat/{proposal}`),
      sharedRoot(join(root, 'shared')),
    ];
    const member: Principal = { ...anyone, id: 'ida', role: 'user', proposals: ['mx1'], scopes: scopesOfRole('user') };
    const tokens = { provider: undefined, principalOf: () => Promise.resolve(member) };
    gateway = await KeyedGateway.withKeys({}, { inspector, tokens, options: { dataRoots } }, { mx3: ['i24'] });
    await gateway.key('root', 'admin');
    ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
  });
  beforeEach(() => {
    beforeLook = () => undefined;
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const post = (url: string, body: object, headers: Headers): Promise<JsonAnswer> =>
    gateway.send('POST', url, { body, headers });

  /** A message about a missing path quotes the path as given. */
  const toldOf = (problems: ProblemDetails['problems'] = [], path: string): Visibility => {
    if (problems.length === 0) return 'served';
    expect(problems.map(({ code, reason }) => [code, reason.replace(path, 'PATH')])).toEqual([
      ['file.missing', '"PATH" does not exist'],
    ]);
    return 'as if it did not exist';
  };
  const problemsOf = (answer: JsonAnswer): ProblemDetails['problems'] => (answer.json() as ProblemDetails).problems;

  /** An ended session of mx1, with a file that its submitter was allowed to read. */
  const session = async (path: string): Promise<string> => {
    const headers = await gateway.key('bea', 'user', { proposals: ['mx1', 'mx2'] });
    const { request } = (await post('/v1/sessions', { files: [path], proposal: 'mx1' }, headers)).json() as Session;
    const id = anId();
    const decision = aDecision({ inputs: [{ slot: 'data', path }] });
    const cycles = [aCycle({ decision, result: aResult({ outcome: 'success' }) })];
    const at = { status: 'running', stage: 'analysing', cycle: 1, attempt: 1, cycles } as const;
    const made = aNewSession({ id, folder: join(gateway.work, 'mx1', id), request, resume: at });
    await gateway.store.records.create(made, [anEvent()], 1000);
    const to = { ended: { reason: 'nothing_left', detail: 'all done', afterCycle: 1 } } as const;
    await gateway.store.records.advance({ sessionId: id, fromVersion: 1, to, events: [], dueInMs: 1 });
    return id;
  };

  /** Each way in, with the answer that it gives of a path. */
  const waysIn: Readonly<Record<string, (path: string, headers: Headers) => Promise<Visibility>>> = {
    listing: async (path, headers) => {
      const answer = await gateway.get(`/v1/folders?path=${encodeURIComponent(dirname(path))}`, headers);
      const result = toldOf(problemsOf(answer), dirname(path));
      if (result === 'served')
        expect((answer.json() as FolderView).entries.map(({ name }) => name)).toContain(basename(path));
      return result;
    },
    submission: async (path, headers) =>
      toldOf(problemsOf(await post('/v1/sessions', { files: [path], proposal: 'mx1' }, headers)), path),
    reading: async (path, headers) => {
      const read = await post('/v1/submissions/preview', { files: [path], proposal: 'mx1' }, headers);
      const { files, problems } = read.json() as SubmissionReading;
      if (problems.length > 0) expect(files).toEqual([]);
      return toldOf(problems, path);
    },
    'input directory': async (path, headers) => {
      const body = { input_directory: dirname(path), proposal: 'mx1' };
      return toldOf(problemsOf(await post('/v1/sessions', body, headers)), dirname(path));
    },
    'row of a batch': async (path, headers) => {
      const made = (await post('/v1/batches', { proposal: 'mx1', rows: [{ files: [path] }] }, headers)).json();
      const { id } = made as BatchView;
      const row = async () =>
        ((await gateway.get(`/v1/batches/${id}/rows`, headers)).json() as BatchRowPage).rows.find(
          ({ state }) => state !== 'waiting',
        );
      return toldOf((await eventually('a state', row)).problems, path);
    },
    'resume with a file': async (path, headers) => {
      const id = await session(data('mx1/raw/data.sca'));
      return toldOf(problemsOf(await post(`/v1/sessions/${id}/resume`, { files: [path] }, headers)), path);
    },
  };
  const everyWayIn = async (path: string, headers: Headers): Promise<Readonly<Record<string, Visibility>>> => {
    const results: [string, Visibility][] = [];
    for (const [way, ask] of Object.entries(waysIn)) results.push([way, await ask(path, headers)]);
    return Object.fromEntries(results);
  };
  const all = (visibility: Visibility): Readonly<Record<string, Visibility>> =>
    Object.fromEntries(Object.keys(waysIn).map((way) => [way, visibility]));

  const own: readonly (readonly [string, () => string])[] = [
    ['a file', () => data('mx1/raw/data.sca')],
    ['through ..', () => `${data('mx1/raw')}/../../mx2/../mx1/raw/data.sca`],
    ['a link in its folder', () => data('mx1/own/own link.sca')],
    ['common files', () => join(root, 'shared/library/data.sca')],
    ['common files through a link', () => data('mx1/links/library/data.sca')],
  ];
  it.each(own)('a member reads of their own: %s', async (_, path) => {
    expect(await everyWayIn(path(), ada)).toEqual(all('served'));
  });

  const foreign: readonly (readonly [string, () => string])[] = [
    ['a file', () => data('mx2/raw/data.sca')],
    ['through ..', () => `${data('mx1/raw')}/../../mx2/raw/data.sca`],
    ['a link to a folder', () => data('mx1/links/linked/data.sca')],
    ['another beamline', () => join(root, 'data/i04/2026/mx2/raw/data.sca')],
    ['letters of another case', () => data('MX2/raw/data.sca')],
    ['a letter that looks alike', () => data('m\u0445 1/raw/data.sca')],
    ['a folder of no proposal', () => data('beam time/raw/data.sca')],
    ['above the proposals', () => join(root, 'data/i03/notes.sca')],
    ['a longer name', () => data('mx1-old/raw/data.sca')],
    ['what does not exist', () => data('mx9/raw/data.sca')],
  ];
  it.each(foreign)('a member reads nothing of others: %s', async (_, path) => {
    expect(await everyWayIn(path(), ada)).toEqual(all('as if it did not exist'));
  });

  it.each([
    ['with a token', () => Promise.resolve({ authorization: 'Bearer e30.e30.e30' })],
    ['as a service', () => gateway.key('daq', 'service', { proposals: ['mx1'] })],
    ['as staff of no beamline', () => gateway.key('sam', 'staff', { proposals: ['mx1'] })],
  ])('a caller %s reads files of their proposals', async (_, keyOf) => {
    const headers = await keyOf();
    expect(await everyWayIn(data('mx1/raw/data.sca'), headers)).toEqual(all('served'));
    expect(await everyWayIn(data('mx2/raw/data.sca'), headers)).toEqual(all('as if it did not exist'));
  });

  it.each([
    ['to a file of others', 'link.sca'],
    ['to nothing of others', 'nowhere.sca'],
  ])('a link %s leads nowhere', async (_, name) => {
    for (const way of ['submission', 'reading', 'row of a batch', 'resume with a file'])
      expect([way, await waysIn[way]?.(data('mx1/links', name), ada)]).toEqual([way, 'as if it did not exist']);
  });

  it('a list names no link to foreign files', async () => {
    const answer = await gateway.get(`/v1/folders?path=${encodeURIComponent(data('mx1/links'))}`, ada);
    const { entries } = answer.json() as FolderView;
    expect(entries.map(({ name }) => name)).toEqual(['library']);
  });

  it('a list begins at readable folders, and shows no parent folder', async () => {
    const results = join(gateway.work, 'mx1');
    mkdirSync(results, { recursive: true });
    const answer = (await gateway.get('/v1/folders', ada)).json() as FolderView;
    expect(answer.entries.map(({ path }) => path).sort()).toEqual([data('mx1'), join(root, 'shared'), results].sort());
    const below = await gateway.get(`/v1/folders?path=${encodeURIComponent(data('mx1'))}`, ada);
    expect(below.json()).not.toHaveProperty('above');
  });

  const wholeRoots: readonly (readonly [string, string, () => Promise<Headers>, readonly string[]])[] = [
    [
      'staff of the beamline',
      'i03',
      () => gateway.key('eve', 'staff', { beamlines: ['i03'] }),
      ['mx1', 'mx2', 'MX2', 'mx1-old'],
    ],
    [
      'a service of the beamline',
      'i03',
      () => gateway.key('daq', 'service', { beamlines: ['i03'], proposals: ['*'] }),
      ['mx1', 'mx2', 'MX2', 'mx1-old'],
    ],
    ['staff of another one', 'i04', () => gateway.key('joe', 'staff', { beamlines: ['i04'] }), []],
    ['staff with a proposal', '', () => gateway.key('kim', 'staff', { proposals: ['mx2'] }), ['mx2']],
    ['a user who names the beamline', '', () => gateway.key('lee', 'user', { beamlines: ['i03'] }), []],
  ];
  it.each(wholeRoots)('%s reads what was taken there, or is theirs', async (_name, _beamline, keyOf, readable) => {
    const headers = await keyOf();
    const listed = async (proposal: string): Promise<boolean> =>
      (await gateway.get(`/v1/folders?path=${encodeURIComponent(data(proposal))}`, headers)).status === 200;
    const found: string[] = [];
    for (const name of ['mx1', 'mx2', 'MX2', 'm\u0445 1', 'beam time', 'mx1-old'])
      if (await listed(name)) found.push(name);
    expect(found).toEqual(readable);
  });

  it('the facility supplies the folder of a proposal if the template does not', async () => {
    const flat = `/v1/folders?path=${encodeURIComponent(join(root, 'flat/mx3'))}`;
    const there = await gateway.key('amy', 'staff', { beamlines: ['i24'] });
    const elsewhere = await gateway.key('tom', 'staff', { beamlines: ['i03'] });
    expect([(await gateway.get(flat, there)).status, (await gateway.get(flat, elsewhere)).status]).toEqual([200, 400]);
  });

  it.each(['resume', 'fork', 'advice'] as const)(
    'a session whose file is of another proposal continues for nobody who may not read it: %s',
    async (way) => {
      const id = await session(data('mx2/raw/data.sca'));
      const both = await gateway.key('bea', 'user', { proposals: ['mx1', 'mx2'] });
      const ask = async (headers: Headers): Promise<JsonAnswer> => {
        if (way === 'resume') return post(`/v1/sessions/${id}/resume`, {}, headers);
        if (way === 'fork') return post(`/v1/sessions/${id}/fork`, { cycle: 1 }, headers);
        const { headers: known } = await gateway.get(`/v1/sessions/${id}/advice`, headers);
        const tagged = { ...headers, 'if-match': String(known['etag']) };
        return gateway.send('PUT', `/v1/sessions/${id}/advice`, { body: { advice: 'refine again' }, headers: tagged });
      };
      expect(toldOf(problemsOf(await ask(ada)), data('mx2/raw/data.sca'))).toBe('as if it did not exist');
      expect(problemsOf(await ask(both)) ?? []).toEqual([]);
    },
  );

  it('a submitted file is fetched by those who may read it, and not by others who see the session', async () => {
    const path = data('mx2/raw/data.sca');
    const url = `/v1/sessions/${await session(path)}/files/0${path}`;
    const both = await gateway.key('bea', 'user', { proposals: ['mx1', 'mx2'] });
    expect([(await gateway.get(url, ada)).status, (await gateway.get(url, both)).status]).toEqual([404, 200]);
  });

  it('a pattern of a batch finds no foreign files', async () => {
    const batch = async (pattern: string): Promise<unknown> => {
      const body = { proposal: 'mx1', folder: { pattern } };
      const made = await post('/v1/batches', body, ada);
      if (made.status !== 201) return (made.json() as ProblemDetails).problems?.map(({ reason }) => reason);
      const { id } = made.json() as BatchView;
      const { rows } = (await gateway.get(`/v1/batches/${id}/rows`, ada)).json() as BatchRowPage;
      return rows.map(({ row }) => row);
    };
    expect(await batch(`${data('mx1')}/raw*/data.sca`)).toHaveLength(1);
    const outside = ['begins outside of the data folders'];
    expect(await batch(`${data('mx2')}/*/data.sca`)).toEqual(outside);
    expect(await batch(`${data('mx9')}/*/data.sca`)).toEqual(outside);
    expect(await batch(`${root}/data/i03/2026/*/raw/data.sca`)).toEqual(outside);
    expect(await batch(`${data('mx1/links')}/link*/data.sca`)).toEqual([]);
  });

  it('a folder that is swapped between check and opening leads nowhere', async () => {
    const path = write(data('mx1/exchanged/data.sca'));
    beforeLook = () => {
      renameSync(data('mx1/exchanged'), data('mx1/exchanged before'));
      symlinkSync(data('mx2/raw'), data('mx1/exchanged'));
    };
    const answer = await post('/v1/sessions', { files: [path], proposal: 'mx1' }, ada);
    expect(answer.status).toBe(422);
    expect(problemsOf(answer)?.map(({ field }) => field)).toEqual(['files[0]']);
  });
});
