import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GemmiFileInspector, type ReaderLimits } from '@fleet/file-inspection';
import { useFolder } from '@fleet/testing';
import { OutputCollector } from '../../apps/log-analysis-worker/src/analyse/output-collector';
import { GatewayHarness, type JsonAnswer } from '../api/gateway-harness';
import { nastyFiles } from './nasty-files';

/** Readers that do what the name of the file says: hang, be slow, need memory. */
const rogue = resolve(__dirname, '../../libs/adapters/file-inspection/src/fixtures/rogue-readers');

/** @param folder absent: the real readers */
const poolOf = (limits: Partial<ReaderLimits>, folder?: string): GemmiFileInspector =>
  new GemmiFileInspector(
    { readers: 1, timeoutMs: 1_500, longestMs: 600_000, maxWaiting: 200, ...limits },
    undefined,
    folder,
  );

interface Problem {
  readonly code: string;
  readonly field: string;
}
const problemsOf = (answer: JsonAnswer): readonly string[] => {
  const { problems = [] } = answer.json() as { readonly problems?: readonly Problem[] };
  return problems.map(({ code, field }) => `${field} ${code}`);
};

describe('submissions of files that block their reader', () => {
  let gateway: GatewayHarness;
  let pool: GemmiFileInspector;
  const start = async (limits: Partial<ReaderLimits>, folder = rogue): Promise<void> => {
    pool = poolOf(limits, folder);
    gateway = await GatewayHarness.start({ inspector: pool });
  };
  afterEach(async () => {
    await gateway.stop();
    await pool.onApplicationShutdown();
  });

  it('affect only their submission: it names the file, the next file is read, and other requests are answered meanwhile', async () => {
    await start({});
    let answered = false;
    const refused = gateway.submit({ files: [gateway.file('plain'), gateway.file('hang')] }).finally(() => {
      answered = true;
    });
    for (let count = 0; count < 5; count += 1) expect((await gateway.get('/v1/ping')).status).toBe(200);
    expect(answered).toBe(false);
    expect((await refused).status).toBe(422);
    expect(problemsOf(await refused)).toContain('files[1] file.inspection_timeout');
    const next = await gateway.submit({ files: [gateway.file('plain')] });
    expect(problemsOf(next).join()).not.toContain('inspection');
  });

  it('are not inspected further after a file exceeded its limit', async () => {
    await start({ readers: 4 });
    const files = Array.from({ length: 12 }, (_, index) =>
      gateway.file(`${String(index)}/${index === 2 ? 'hang' : 'plain'}`),
    );
    const problems = problemsOf(await gateway.submit({ files }));
    expect(problems.filter((problem) => problem.endsWith('file.inspection_timeout'))).toEqual([
      'files[2] file.inspection_timeout',
    ]);
    expect(problems.filter((problem) => problem.endsWith('file.not_inspected'))).toHaveLength(8);
  });

  it('let submissions of other callers in between', async () => {
    await start({ timeoutMs: 60_000 });
    const order: string[] = [];
    const send = async (name: string, files: readonly string[]): Promise<void> => {
      await gateway.submit({ files });
      order.push(name);
    };
    const many = send(
      'many',
      Array.from({ length: 20 }, (_, index) => gateway.file(`${String(index)}/slow_0.05`)),
    );
    await Promise.all([many, send('one', [gateway.file('plain')])]);
    expect(order).toEqual(['one', 'many']);
  });

  it('are refused with 503 and Retry-After when too many files wait', async () => {
    await start({ maxWaiting: 1, timeoutMs: 60_000 });
    const files = Array.from({ length: 4 }, (_, index) => gateway.file(`${String(index)}/slow_0.2`));
    const answer = await gateway.submit({ files });
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
    expect(answer.json()).toMatchObject({ code: 'inspection.busy' });
  });

  it('leave other requests answered while the worst files are read', async () => {
    pool = poolOf({ readers: 2, timeoutMs: 60_000 });
    gateway = await GatewayHarness.start({ inspector: pool });
    const files = Object.values(nastyFiles).map(({ name, make }, index) =>
      gateway.file(`${String(index)}/${name}`, make(500_000)),
    );
    let open = 0;
    const sent = files.map(async (file) => {
      open += 1;
      const { status } = await gateway.submit({ files: [file] });
      open -= 1;
      return status;
    });
    let pings = 0;
    for (; open > 0; pings += 1) {
      await gateway.get('/v1/ping');
      await pause(1);
    }
    const statuses = await Promise.all(sent);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(pings).toBeGreaterThan(0);
  });
});

describe('outputs that block their reader', () => {
  const folder = useFolder();
  const pool = poolOf({ timeoutMs: 500 }, rogue);
  afterAll(() => pool.onApplicationShutdown());

  const collected = async (...names: readonly string[]) => {
    for (const name of names) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), 'x');
    }
    return new OutputCollector(pool).collect(folder, {
      origin: { cycle: 1, program: 'phenix.refine' },
      rank: () => 0,
      isUnwanted: () => Promise.resolve(false),
    });
  };

  it('are skipped with the reason, and the others are used', async () => {
    const { files, warnings } = await collected('hang', 'plain');
    expect(files.map(({ path }) => basename(path))).toEqual(['plain']);
    expect(warnings).toEqual([
      expect.stringMatching(/hang: it could not be read within 0.5 s; the file is not used\.$/),
    ]);
  });

  it('end the inspection after three of them', async () => {
    const { files, warnings, leftOut } = await collected('a', 'b/hang', 'c/hang', 'd/hang', 'e/hang', 'f/plain');
    expect(files.map(({ path }) => basename(path))).toEqual(['a']);
    expect(warnings).toHaveLength(3);
    expect(leftOut).toEqual(['3 files could not be read in time; the 2 after them are not inspected.']);
  });
});
