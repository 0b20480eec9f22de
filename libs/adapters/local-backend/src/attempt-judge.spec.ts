import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  claimForCancel,
  claimRun,
  closeAttempt,
  hostIdentity,
  foldersOf,
  prepareAttempt,
  specHash,
} from '@fleet/attempt-runner';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { anEnding } from '@fleet/testing';
import { AttemptJudge } from './attempt-judge';

const hour = 3_600_000;

describe('judging a run by its files', () => {
  let spec: RunSpec;
  /** Wall clock, which can be set, and monotonic clock. */
  let [now, elapsed] = [0, 0];
  beforeEach(() => {
    const sessionFolder = mkdtempSync(join(tmpdir(), 'fleet-judge-'));
    [now, elapsed] = [Date.now(), 1_000];
    spec = {
      name: 'judged-c001-a1',
      sessionFolder,
      attemptFolder: 'c001-refine/a1',
      program: 'phenix.refine',
      argv: ['/bin/true'],
      owner: { sessionId: 'judged', cycle: 1, attempt: 1, proposal: 'mx1', beamline: 'i04', priority: 'standard' },
      resources: { class: 'cpu', cpus: 1, mayFallBack: false },
      limits: { wallClock: 60, memoryMiB: 100, outputBytes: 1000 },
    };
    mkdirSync(join(running(), attemptFiles.folder), { recursive: true });
    prepareAttempt(running(), spec, specHash(spec));
  });
  afterEach(() => rmSync(spec.sessionFolder, { recursive: true }));

  const running = (): string => foldersOf(spec).running;
  const pass = (ms: number): void => {
    now += ms;
    elapsed += ms;
  };
  const aJudge = (): AttemptJudge =>
    new AttemptJudge(
      hostIdentity(),
      () => now,
      () => elapsed,
    );
  const beat = (at = now): void => utimesSync(join(running(), attemptFiles.run), at / 1000, at / 1000);
  const claimElsewhere = (): void => {
    const claim = claimRun(running(), { name: spec.name, specHash: 'h', startedAt: new Date(now).toISOString() });
    const host = { bootId: 'elsewhere', pidNamespace: 'pid:[1]' };
    writeFileSync(join(running(), attemptFiles.run), JSON.stringify({ ...claim, host }));
    beat();
  };

  it('treats a supervisor on another computer as alive while it sends heartbeats', async () => {
    claimElsewhere();
    const judge = aJudge();
    for (let second = 0; second < 200; second += 1) {
      pass(1_000);
      beat();
      expect(await judge.look(spec)).toMatchObject({ state: 'running' });
    }
    pass(59_000);
    expect(await judge.look(spec)).toMatchObject({ state: 'running' });
    pass(2_000);
    expect(await judge.look(spec)).toMatchObject({ state: 'ended', result: { ending: { kind: 'lost' } } });
  });

  it.each([
    ['put forward an hour', hour],
    ['put back an hour', -hour],
  ])('declares no supervisor dead because the clock here is %s', async (_, jump) => {
    claimElsewhere();
    const judge = aJudge();
    expect(await judge.look(spec)).toMatchObject({ state: 'running' });
    let theirs = now;
    now += jump;
    for (let second = 0; second < 100; second += 1) {
      expect(await judge.look(spec)).toMatchObject({ state: 'running' });
      pass(1_000);
      theirs += 1_000;
      beat(theirs);
    }
  });

  it('does not wait for ever after a heartbeat from the future', async () => {
    claimElsewhere();
    beat(now + hour);
    const judge = aJudge();
    await judge.look(spec);
    pass(61_000);
    expect(await judge.look(spec)).toMatchObject({ state: 'ended', result: { ending: { kind: 'lost' } } });
  });

  it('needs ten seconds after a restart to detect a supervisor elsewhere that died long ago', async () => {
    claimElsewhere();
    pass(hour);
    const judge = aJudge();
    expect(await judge.look(spec)).toMatchObject({ state: 'running' });
    pass(10_000);
    expect(await judge.look(spec)).toMatchObject({ state: 'ended', result: { ending: { kind: 'lost' } } });
  });

  describe.each<[string, (text: string) => string]>([
    ['empty', () => ''],
    ['cut in the middle', (text) => text.slice(0, text.length / 2)],
  ])('after a power cut that left a file %s', (_, change) => {
    const cut = (file: string, folder = running()): void => {
      const path = join(folder, file);
      writeFileSync(path, change(readFileSync(path, 'utf8')));
    };

    it('a claim still counts, and the run is lost without heartbeats', async () => {
      claimElsewhere();
      cut(attemptFiles.run);
      const judge = aJudge();
      expect(await judge.look(spec)).toMatchObject({ state: 'running' });
      pass(61_000);
      const first = await judge.look(spec);
      expect(first).toMatchObject({ state: 'ended', result: { ending: { kind: 'lost', infrastructure: true } } });
      expect(await aJudge().look(spec)).toEqual(first);
      expect(existsSync(running())).toBe(false);
    });

    it('a result is lost, which is recorded once', async () => {
      claimForCancel(spec, now);
      closeAttempt(foldersOf(spec), { name: spec.name, startedAt: new Date(now).toISOString() }, anEnding(), now);
      cut(attemptFiles.result, foldersOf(spec).published);
      const first = await aJudge().look(spec);
      expect(first).toMatchObject({
        state: 'ended',
        result: { ending: { infrastructure: expect.any(Boolean) as boolean } },
      });
      expect(await aJudge().look(spec)).toEqual(first);
    });

    it('an unreadable run ends as well', async () => {
      claimElsewhere();
      for (const file of [attemptFiles.spec, attemptFiles.run]) cut(file);
      const judge = aJudge();
      await judge.look(spec);
      pass(61_000);
      const { state } = await judge.look(spec);
      expect(state).toBe('ended');
    });
  });
});
