import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { useStarted } from '@fleet/testing';
import { aMap, aModel, GatewayHarness, someReflections } from './gateway-harness';

/** Node itself cannot make a named pipe. */
const pipeMaker = 'mkfifo';

describe('POST /v1/sessions', () => {
  const gateway = useStarted('file', () => GatewayHarness.start());

  const codesOf = (problems: readonly { code: string; field: string }[]): string[] =>
    problems.map(({ code, field }) => `${code} ${field}`).sort();
  const refused = async (body: unknown): Promise<string[]> => {
    const answer = await gateway.submit(body);
    const problem = answer.json() as { code: string; problems: { code: string; field: string }[] };
    expect([answer.status, problem.code]).toEqual([422, 'submission.invalid']);
    return codesOf(problem.problems);
  };

  it('starts a session and wakes its first step', async () => {
    const files = [gateway.file('start/data.sca'), gateway.file('start/model.pdb', aModel)];
    const answer = await gateway.submit({ files, advice: 'solve it', settings: { max_cycles: 5 }, proposal: 'mx1-2' });
    expect(answer.status).toBe(201);
    const session = answer.json() as { id: string; folder: string };
    expect(answer.headers.location).toBe(`/v1/sessions/${session.id}`);
    expect(session).toMatchObject({
      status: 'running',
      stage: 'deciding',
      simulated: false,
      folder: join(gateway.work, 'mx1-2', session.id),
      request: { title: 'data', settings: { max_cycles: 5, max_refine_cycles: 3 }, advice: 'solve it' },
    });
    expect(gateway.woken.at(-1)?.id).toBe(session.id);
    expect((await gateway.store.events.after(session.id, '0', 10))[0]).toMatchObject({
      type: 'session_submitted',
      message: 'data: 2 files submitted',
    });
  });

  it('lists all problems at once', async () => {
    const empty = gateway.file('all/empty.sca', '');
    const outside = join(gateway.root, 'outside.sca');
    writeFileSync(outside, someReflections);
    const problems = await refused({
      files: [empty, join(gateway.data, 'none.mtz'), outside, 'relative.mtz', 7],
      title: 1,
      proposal: '../up',
      beamline: 'a/b',
      advise: 'x',
      settings: { max_cycels: 3, max_cycles: 0, r_free_target: 'low', experiment_type: 'neutron' },
    });
    expect(problems).toEqual([
      'field.type files[4]',
      'field.type title',
      'field.unknown advise',
      'field.value beamline',
      'field.value proposal',
      'file.bad_name files[3]',
      'file.empty files[0]',
      'file.missing files[1]',
      'file.outside_root files[2]',
      'setting.range settings.experiment_type',
      'setting.range settings.max_cycles',
      'setting.type settings.r_free_target',
      'setting.unknown settings.max_cycels',
    ]);
  });

  it('suggests the intended setting, and lists all settings', async () => {
    const answer = await gateway.submit({ files: [gateway.file('near/a.sca')], settings: { maxcycles: 3 } });
    const [problem] = (answer.json() as { problems: { reason: string; allowed: string }[] }).problems;
    expect(problem?.reason).toContain('"max_cycles"');
    expect(problem?.allowed).toContain('abort_on_warnings');
  });

  it.each([
    ['unknown fields', (many: object) => many],
    ['unknown settings', (many: object) => ({ files: ['/x'], settings: many })],
    ['entries that are not paths', (many: object) => ({ files: Object.values(many) })],
  ])('counts %s beyond the first hundred, for a body of any size gets a short answer', async (_, bodyOf) => {
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (__, index) => [`advic${index.toString(36)}`, 1]));
    const answer = await gateway.submit(bodyOf(many));
    const { detail, problems } = answer.json() as {
      detail: string;
      problems: readonly { code: string; reason: string }[];
    };
    expect([answer.status, problems.length, problems.at(-1)?.code]).toEqual([422, 101, 'problems.more']);
    expect([detail, problems.at(-1)?.reason]).toEqual([
      expect.stringMatching(/^3000[01] problems/),
      expect.stringMatching(/^2990[01] more/),
    ]);
  });

  it('refuses a simulated program that the agent does not know', async () => {
    const files = [gateway.file('sim/a.sca')];
    expect(await refused({ files, settings: { simulated_programs: ['phenix.autosoll'] } })).toEqual([
      'setting.range settings.simulated_programs',
    ]);
  });

  it.each([
    ['no body', undefined],
    ['a list', []],
    ['text', 'files'],
  ])('refuses %s as a body', async (_, body) => {
    const answer = await gateway.send('POST', '/v1/sessions', {
      raw: body === undefined ? 'null' : JSON.stringify(body),
    });
    expect(answer.status).toBe(422);
  });

  describe('names of files', () => {
    it.each([
      'two words.sca',
      `it's "quoted".sca`,
      'new\nline.sca',
      '$(touch pwned).sca',
      '`id`;rm -rf x.sca',
      '-rf.sca',
      '--help.sca',
      'größe-構造.sca',
      'tab\tand\u0007bell.sca',
    ])('takes %j', async (name) => {
      const answer = await gateway.submit({ files: [gateway.file(`names/${name}`)] });
      expect(answer.status).toBe(201);
      const { request } = answer.json() as { request: { inputs: { path: string }[] } };
      expect(request.inputs[0]?.path).toBe(join(gateway.data, 'names', name));
    });

    it('refuses a NUL character, a path of more than 4096 bytes and a name that no file system takes', async () => {
      const long = join(gateway.data, 'x'.repeat(300));
      expect(await refused({ files: [`${gateway.data}/a\0b.mtz`, `/${'x/'.repeat(2100)}`, long] })).toEqual([
        'file.bad_name files[0]',
        'file.bad_name files[1]',
        'file.bad_name files[2]',
      ]);
    });
  });

  describe('files', () => {
    it('refuses a link that leads out of the data folders', async () => {
      const target = join(gateway.root, 'secret.sca');
      writeFileSync(target, someReflections);
      mkdirSync(join(gateway.data, 'links'));
      symlinkSync(target, join(gateway.data, 'links', 'inside.sca'));
      expect(await refused({ files: [join(gateway.data, 'links', 'inside.sca')] })).toEqual([
        'file.outside_root files[0]',
      ]);
    });

    it('says nothing about what exists outside the data folders', async () => {
      const same = { 'x-request-id': 'same' };
      const there = await gateway.submit({ files: ['/etc/passwd'] }, same);
      const notThere = await gateway.submit({ files: ['/etc/passwe'] }, same);
      expect(there.text.replaceAll('passwd', '')).toBe(notThere.text.replaceAll('passwe', ''));
    });

    it('refuses a path out of the data folders', async () => {
      const up = `${gateway.data}/../outside2.sca`;
      writeFileSync(join(gateway.root, 'outside2.sca'), someReflections);
      expect(await refused({ files: [up] })).toEqual(['file.outside_root files[0]']);
    });

    it('does not take a folder whose name begins like a data folder', async () => {
      mkdirSync(`${gateway.data}-private`);
      writeFileSync(`${gateway.data}-private/a.sca`, someReflections);
      expect(await refused({ files: [`${gateway.data}-private/a.sca`] })).toEqual(['file.outside_root files[0]']);
    });

    it('takes a result of an earlier session', async () => {
      writeFileSync(join(gateway.work, 'made.sca'), someReflections);
      expect((await gateway.submit({ files: [join(gateway.work, 'made.sca')] })).status).toBe(201);
    });

    it('refuses folders and pipes without waiting for them', async () => {
      mkdirSync(join(gateway.data, 'folder.mtz'));
      execFileSync(pipeMaker, [join(gateway.data, 'pipe.mtz')]);
      expect(await refused({ files: [join(gateway.data, 'folder.mtz'), join(gateway.data, 'pipe.mtz')] })).toEqual([
        'file.not_regular files[0]',
        'file.not_regular files[1]',
      ]);
    });

    it('refuses an MTZ that is not one, and a file of no known format', async () => {
      const fake = gateway.file('formats/fake.mtz', 'this is not an MTZ file at all\n');
      const foreign = gateway.file('formats/foreign.bin', Buffer.from([0, 1, 2, 3, 255, 0, 0, 9]));
      expect(await refused({ files: [fake, foreign] })).toEqual([
        'file.corrupt files[0]',
        'file.unknown_format files[1]',
      ]);
    });

    it('refuses a file that it may not read', async () => {
      const path = gateway.file('locked/a.sca');
      chmodSync(path, 0);
      const readable = process.getuid?.() === 0;
      const answer = await gateway.submit({ files: [path] });
      // Root reads everything; the refusal itself is tested wherever tests do not run as root.
      expect(answer.status).toBe(readable ? 201 : 422);
    });

    it('refuses the same file twice, also through a link', async () => {
      const path = gateway.file('twice/a.sca');
      const link = join(gateway.data, 'twice', 'b.sca');
      symlinkSync(path, link);
      expect(await refused({ files: [path, link] })).toEqual(['file.duplicate files[1]']);
    });

    it('refuses more files than are allowed without reading them', async () => {
      const files = Array.from({ length: 21 }, (_, index) => `${gateway.data}/${String(index)}.mtz`);
      expect(await refused({ files })).toEqual(['files.too_many files']);
    });

    it('refuses no files', async () => {
      expect(await refused({ files: [] })).toContain('files.none files');
      expect(await refused({})).toContain('field.missing files');
    });
  });

  describe('the kind of experiment', () => {
    it('refuses reflections with a map, unless the settings say which counts', async () => {
      const files = [gateway.file('both/a.sca'), gateway.file('both/b.map', aMap())];
      expect(await refused({ files })).toEqual(['experiment.ambiguous settings.experiment_type']);
      expect((await gateway.submit({ files, settings: { experiment_type: 'xray' } })).status).toBe(201);
    });

    it('refuses a setting that contradicts the files', async () => {
      const reflections = [gateway.file('contra/a.sca')];
      const map = [gateway.file('contra/b.map', aMap())];
      const contradiction = ['experiment.contradiction settings.experiment_type'];
      expect(await refused({ files: reflections, settings: { experiment_type: 'cryoem' } })).toEqual(contradiction);
      expect(await refused({ files: map, settings: { experiment_type: 'xray' } })).toEqual(contradiction);
    });

    it('refuses a model without data', async () => {
      expect(await refused({ files: [gateway.file('nodata/model.pdb', aModel)] })).toEqual(['files.no_data files']);
    });
  });

  describe('Idempotency-Key', () => {
    it('gives the same session for the same key and body, and starts nothing new', async () => {
      const body = { files: [gateway.file('key/a.sca')], title: 'one' };
      const first = await gateway.submit(body, { 'idempotency-key': 'key-1' });
      const woken = gateway.woken.length;
      const second = await gateway.submit(body, { 'idempotency-key': 'key-1' });
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.json()).toEqual(first.json());
      expect(second.headers['idempotency-replayed']).toBe('true');
      expect(gateway.woken.length).toBe(woken);
    });

    it('makes one session of two submissions at the same time', async () => {
      const body = { files: [gateway.file('race/a.sca')] };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => gateway.submit(body, { 'idempotency-key': 'race' })),
      );
      expect(new Set(answers.map((answer) => (answer.json() as { id: string }).id)).size).toBe(1);
      expect(answers.filter((answer) => answer.headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    });

    it.each([
      ['title', { title: 'other' }],
      ['settings', { settings: { max_cycles: 2 } }],
      ['advice', { advice: 'other' }],
    ])('refuses the key with another %s', async (name, change) => {
      const body = { files: [gateway.file(`other-${name}/a.sca`)] };
      const headers = { 'idempotency-key': `other-${name}` };
      expect((await gateway.submit(body, headers)).status).toBe(201);
      const answer = await gateway.submit({ ...body, ...change }, headers);
      expect([answer.status, (answer.json() as { code: string }).code]).toEqual([409, 'idempotency.conflict']);
    });

    it.each([
      ['a name that no file system takes', (data: string): string => join(data, 'x'.repeat(300))],
      ['a path below a file', (data: string): string => join(data, 'conflict/a.sca/b.sca')],
      ['a link that leads to itself', (data: string): string => join(data, 'conflict/circle')],
    ])('detects a different body, also with %s', async (_, path) => {
      const headers = { 'idempotency-key': `paths-${_.length}` };
      const file = gateway.file('conflict/a.sca');
      rmSync(join(gateway.data, 'conflict/circle'), { force: true });
      symlinkSync('circle', join(gateway.data, 'conflict/circle'));
      expect((await gateway.submit({ files: [file] }, headers)).status).toBe(201);
      const answer = await gateway.submit({ files: [path(gateway.data)] }, headers);
      expect([answer.status, (answer.json() as { code: string }).code]).toEqual([409, 'idempotency.conflict']);
    });

    it('treats an explicit default as the same submission', async () => {
      const files = [gateway.file('default/a.sca')];
      const headers = { 'idempotency-key': 'default' };
      await gateway.submit({ files }, headers);
      const answer = await gateway.submit({ files, settings: { max_cycles: 20 }, title: 'a' }, headers);
      expect(answer.headers['idempotency-replayed']).toBe('true');
    });

    it('refuses an invalid key', async () => {
      const answer = await gateway.submit({ files: [] }, { 'idempotency-key': 'two words' });
      expect([answer.status, (answer.json() as { code: string }).code]).toEqual([400, 'request.invalid']);
    });
  });
});
