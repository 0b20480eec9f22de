import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { attemptFiles, type Session, type StopReason } from '@fleet/contracts';
import { aCycle, aFile, anAttempt, anEvent, aNewSession, anId, aResult } from '@fleet/testing';
import { GatewayHarness } from '../api/gateway-harness';
import { runPhx, type Ran, type RunOptions } from './scripted-terminal';

describe('phx', () => {
  let gateway: GatewayHarness;
  let url: string;
  beforeAll(async () => {
    gateway = await GatewayHarness.start();
    url = await gateway.listen();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const phx = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    runPhx(['--server', url, ...args], options);
  const aStored = async (): Promise<string> => {
    const id = anId();
    const folder = join(gateway.work, 'mx1', id);
    await gateway.store.create(
      aNewSession({ id, folder }),
      [anEvent({ type: 'session_submitted', message: 'here' })],
      1000,
    );
    return id;
  };
  const version = async (id: string): Promise<number> => (await gateway.store.loadHead(id))?.version ?? 0;
  const end = async (id: string, reason: StopReason): Promise<void> => {
    const to = { ended: { reason, detail: `because ${reason}`, afterCycle: 1 } };
    const events = [anEvent({ type: 'session_ended', message: `because ${reason}` })];
    await gateway.store.advance({ sessionId: id, fromVersion: await version(id), to, events, dueInMs: 1 });
  };
  const logOf = (id: string): string => join(gateway.work, 'mx1', id, 'c001-refine/a1', attemptFiles.log);
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const runCycle = async (id: string, record = aCycle()): Promise<void> => {
    const to = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
    const events = [
      anEvent({ type: 'cycle_start', message: '' }),
      anEvent({ type: 'command_built', message: 'plain', data: { argv: ['phenix.refine', 'two words.mtz', "it's"] } }),
      anEvent({ type: 'attempt_started', message: 'phenix.refine started', data: { attempt: 1 } }),
      anEvent({ type: 'cycle_complete', message: 'done', data: { outputs: ['/work/new\nline.pdb'] } }),
    ];
    await gateway.store.advance({
      sessionId: id,
      fromVersion: await version(id),
      to,
      cycleRecord: record,
      events,
      dueInMs: 1,
    });
  };

  describe('submit', () => {
    it('resolves files against the current folder and prints the id', async () => {
      gateway.file('submit/data.sca');
      const { code, out } = await phx(['submit', 'data.sca', '--set', 'max_cycles=3', '--set', 'analysis_only=true'], {
        cwd: join(gateway.data, 'submit'),
      });
      expect(code).toBe(0);
      const session = await gateway.store.load(out.split('\n')[0] ?? '');
      expect(session?.request).toMatchObject({ submitter: 'tester', settings: { max_cycles: 3, analysis_only: true } });
    });

    it('prints one JSON document with --json', async () => {
      const { code, out } = await phx(['submit', gateway.file('json/data.sca'), '--json']);
      expect([code, (JSON.parse(out) as Session).status]).toEqual([0, 'running']);
    });

    it.each(['two words.sca', '$(id).sca', 'new\nline.sca', "q'uote.sca"])('takes a file named %j', async (name) => {
      expect((await phx(['submit', gateway.file(`names/${name}`)])).code).toBe(0);
    });

    it('takes a name with a leading dash after --', async () => {
      gateway.file('dash/-rf.sca');
      expect((await phx(['submit', '--', '-rf.sca'], { cwd: join(gateway.data, 'dash') })).code).toBe(0);
    });

    it('prints every problem of a refusal and exits with 3', async () => {
      const { code, err } = await phx(['submit', '/etc/passwd', '--set', 'max_cycels=2', '--set', 'max_cycles=0']);
      expect(code).toBe(3);
      expect(err).toMatch(/submission\.invalid/);
      expect(err).toMatch(/files\[0\]: .*outside the data folders/);
      expect(err).toMatch(/settings\.max_cycels: .*did you mean "max_cycles"/);
      expect(err).toMatch(/settings\.max_cycles: 0 is not allowed\n {4}allowed: a whole number from 1 to 100/);
    });

    it('prints a refusal as JSON with --json', async () => {
      const { err, out } = await phx(['submit', '/etc/passwd', '--json']);
      expect(JSON.parse(err)).toMatchObject({ code: 'submission.invalid', problems: [{ field: 'files[0]' }] });
      expect(out).toBe('');
    });

    it('reads advice from a file, and refuses both kinds of advice', async () => {
      const advice = gateway.file('advice/advice.txt', 'be quick');
      const file = gateway.file('advice/data.sca');
      const { out } = await phx(['submit', file, '--advice-file', advice, '--json']);
      expect((JSON.parse(out) as Session).request.advice).toBe('be quick');
      expect((await phx(['submit', file, '--advice-file', advice, '--advice', 'x'])).code).toBe(2);
      expect((await phx(['submit', file, '--advice-file', '/none'])).code).toBe(2);
    });

    it('gives the same session for the same key, and refuses another one with it', async () => {
      const args = ['submit', gateway.file('key/data.sca'), '--idempotency-key', 'k', '--json'];
      const [first, second] = [await phx(args), await phx(args)];
      expect((JSON.parse(first.out) as Session).id).toBe((JSON.parse(second.out) as Session).id);
      expect((await phx([...args, '--title', 'other'])).code).toBe(3);
    });
  });

  describe('watch', () => {
    it.each([
      ['converged', 0],
      ['program_failed', 6],
      ['cancelled', 3],
    ] as const)('exits by how the session ended: %s', async (reason, expected) => {
      const id = await aStored();
      await runCycle(id);
      const watching = phx(['watch', id]);
      await pause(30);
      await end(id, reason);
      const { code, out } = await watching;
      expect(code).toBe(expected);
      expect(out).toContain(`because ${reason}`);
    });

    it('quotes commands for reading, and keeps a line a line', async () => {
      const id = await aStored();
      await runCycle(id);
      await end(id, 'converged');
      const { out } = await phx(['watch', id]);
      expect(out).toContain(`phenix.refine 'two words.mtz' 'it'\\''s'`);
      expect(out).toContain('/work/new\\nline.pdb');
    });

    it('prints one event per line with --json', async () => {
      const id = await aStored();
      await runCycle(id);
      await end(id, 'converged');
      const { out } = await phx(['watch', id, '--json']);
      const types = out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type);
      expect([types[0], types.at(-1), types.length]).toEqual(['session_submitted', 'session_ended', 6]);
    });

    it('writes no control characters into a pipe, and a live line on a terminal', async () => {
      const id = await aStored();
      const { ending, ...running } = anAttempt();
      expect(ending).toBeDefined();
      write(logOf(id), 'R-free now \u001b[31m0.25\n');
      await runCycle(id, aCycle({ attempts: [running] }));
      let seen = '';
      const live = phx(['watch', id], { live: true, onOut: (text) => (seen += text) });
      const piped = phx(['watch', id]);
      for (let waited = 0; !seen.includes('R-free now') && waited < 8000; waited += 50) await pause(50);
      await end(id, 'converged');
      expect(seen).toContain('R-free now');
      expect(seen).not.toContain('\u001b[31m');
      expect((await live).out).toContain('\r\u001b[2K');
      expect((await piped).out.split('').filter((letter) => letter < ' ' && letter !== '\n')).toEqual([]);
    });

    it('goes on after the gateway was restarted, losing and repeating nothing', async () => {
      const store = gateway.store;
      const first = await GatewayHarness.start({ store });
      const address = await first.listen();
      const id = await aStored();
      let seen = '';
      const watching = runPhx(['--server', address, 'watch', id, '--json'], { onOut: (text) => (seen += text) });
      while (!seen.includes('session_submitted')) await pause(5);
      await first.stop();
      await runCycle(id);
      const second = await GatewayHarness.start({ store });
      await second.listen(Number(new URL(address).port));
      await end(id, 'converged');
      const { code, out, err } = await watching;
      await second.stop();
      expect([code, out.trimEnd().split('\n').length]).toEqual([0, 6]);
      expect(err).toContain('the gateway is away');
    });

    it('leaves the session running on Ctrl-C and says so', async () => {
      const id = await aStored();
      const interrupt = new AbortController();
      const watching = phx(['watch', id], { interrupted: interrupt.signal });
      await pause(50);
      interrupt.abort();
      const { code, err } = await watching;
      expect(code).toBe(130);
      expect(err).toContain(`phx watch ${id}`);
      expect((await gateway.store.loadHead(id))?.status).toBe('running');
    });

    it('exits with 4 for a session that is not there', async () => {
      expect((await phx(['watch', anId()])).code).toBe(4);
    });
  });

  describe('show, list, cancel', () => {
    it('shows a line for each cycle, and everything with --detail', async () => {
      const id = await aStored();
      await runCycle(id);
      const brief = await phx(['show', id]);
      expect(brief.out).toMatch(/1 {2}phenix\.refine {2}success/);
      const detail = await phx(['show', id, '--detail']);
      expect(detail.out).toContain('the model is placed and not refined yet');
    });

    it('marks a simulated program', async () => {
      const id = await aStored();
      await runCycle(id, aCycle({ attempts: [anAttempt({ provider: 'simulated' })] }));
      expect((await phx(['show', id])).out).toContain('[SIMULATED]');
    });

    it('takes --json before and after the command', async () => {
      const id = await aStored();
      const [before, after] = [await phx(['--json', 'show', id]), await phx(['show', id, '--json'])];
      expect(JSON.parse(before.out)).toEqual(JSON.parse(after.out));
    });

    it('lists as many as are asked for, over pages', async () => {
      const ids = await Promise.all(Array.from({ length: 3 }, aStored));
      const { out } = await phx(['list', '--limit', '2', '--json']);
      const { sessions } = JSON.parse(out) as { sessions: Session[] };
      expect(sessions).toHaveLength(2);
      const all = await phx(['list', '--status', 'running']);
      for (const id of ids) expect(all.out).toContain(id);
    });

    it('cancels, and with --wait until it has ended', async () => {
      const id = await aStored();
      const cancelling = phx(['cancel', id, '--wait']);
      for (let status = ''; status !== 'cancelling';) {
        await pause(5);
        status = (await gateway.store.loadHead(id))?.status ?? '';
      }
      await end(id, 'cancelled');
      expect(await cancelling).toMatchObject({ code: 0, out: `${id}: cancelled\n` });
    });

    it('refuses to cancel what has ended', async () => {
      const id = await aStored();
      await end(id, 'converged');
      expect((await phx(['cancel', id])).code).toBe(3);
    });
  });

  describe('logs', () => {
    it('prints the bytes of a program as they are', async () => {
      const id = await aStored();
      await runCycle(id);
      write(logOf(id), Buffer.from([0x41, 0xff, 0x0a]));
      expect(await phx(['logs', id])).toMatchObject({ code: 0, out: 'A\u00ff\n' });
    });

    it('shows a person no control characters', async () => {
      const id = await aStored();
      await runCycle(id);
      write(logOf(id), 'a\u001b]0;title\u0007b\n');
      expect((await phx(['logs', id], { live: true })).out).toBe('a·]0;title·b\n');
    });

    it('follows until the session has ended', async () => {
      const id = await aStored();
      await runCycle(id);
      write(logOf(id), 'first\n');
      const following = phx(['logs', id, '-f']);
      await pause(50);
      await end(id, 'converged');
      expect(await following).toMatchObject({ code: 0, out: 'first\n', err: '==> cycle 1: phenix.refine <==\n' });
    });

    it('exits with 4 before there is one', async () => {
      const id = await aStored();
      expect((await phx(['logs', id])).code).toBe(4);
      expect((await phx(['logs', id, '--cycle', '7'])).code).toBe(4);
    });
  });

  describe('results', () => {
    it('prints the summary, and downloads every file under its cycle', async () => {
      const id = await aStored();
      const path = join(gateway.work, 'mx1', id, 'c001-refine/a1', 'sub dir', 'model 1.pdb');
      write(path, 'ATOM');
      const outputs = [aFile({ path, size: 4, cycle: 1, program: 'phenix.refine' })];
      await runCycle(id, aCycle({ result: aResult({ outputs }) }));
      const target = join(gateway.root, 'download');
      const { code, out } = await phx(['results', id, '--download', target]);
      expect([code, out]).toEqual([0, '# a dataset\n\n']);
      expect(readFileSync(join(target, 'c001-refine', 'sub dir', 'model 1.pdb'), 'utf8')).toBe('ATOM');
      expect(readFileSync(join(target, 'summary.md'), 'utf8')).toBe('# a dataset\n');
    });

    it('says so when the folder cannot be written', async () => {
      const id = await aStored();
      write(join(gateway.root, 'a-file'), '');
      const { code, err } = await phx(['results', id, '--download', join(gateway.root, 'a-file')]);
      expect([code, err.includes('--download failed')]).toEqual([2, true]);
    });
  });

  describe('the service', () => {
    it('prints programs, settings and what was recovered', async () => {
      expect((await phx(['programs'])).out).toContain('not installed');
      expect((await phx(['settings'])).out).toMatch(/max_cycles +integer 1\.\.100 +20/);
      expect((await phx(['recover'])).out).toMatch(/0 recovered/);
    });

    it('exits with 5 where no gateway is', async () => {
      const { code, err } = await runPhx(['--server', 'http://127.0.0.1:1', 'list']);
      expect(code).toBe(5);
      expect(err).toContain('PHX_SERVER');
    });
  });
});
