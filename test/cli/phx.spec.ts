import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { aCycle, aFile, anAttempt, aResult, eventually, freePort, useStarted } from '@fleet/testing';
import { GatewayHarness } from '../api/gateway-harness';
import { CliHarness, write } from './cli-harness';
import { runPhx } from './scripted-terminal';

describe('phx', () => {
  let gateway: GatewayHarness;
  const cli = useStarted('file', () => CliHarness.start());
  beforeAll(() => {
    ({ gateway } = cli);
  });

  describe('show, list, cancel', () => {
    it('shows a line for each cycle, and everything with --detail', async () => {
      const id = await cli.aStored();
      await cli.runCycle(id);
      const brief = await cli.phx(['show', id]);
      expect(brief.out).toMatch(/1 {2}phenix\.refine {2}success/);
      const detail = await cli.phx(['show', id, '--detail']);
      expect(detail.out).toContain('the model is placed and not refined yet');
    });

    it('shows what a decision waits for', async () => {
      const id = await cli.aStored();
      const decision = { since: '2026-11-21T08:00:00.000Z', reason: 'site: it is down' };
      const to = { stage: 'deciding', cycle: 1, attempt: 1 } as const;
      const move = { sessionId: id, fromVersion: 1, to, progress: { decision }, events: [], dueInMs: 1000 };
      await cli.gateway.store.records.advance(move);
      const reason = 'for a language model since 2026-11-21T08:00:00Z: site: it is down';
      expect((await cli.phx(['show', id])).out).toContain(`waits:      ${reason}\n`);
      expect((await cli.phx(['list', '--wide'])).out).toContain(reason);
      expect((await cli.phx(['trace', id])).out).toContain(reason);
    });

    it('marks a simulated program', async () => {
      const id = await cli.aStored();
      await cli.runCycle(id, aCycle({ attempts: [anAttempt({ provider: 'simulated' })] }));
      expect((await cli.phx(['show', id])).out).toContain('[SIMULATED]');
    });

    it('takes --json before and after the command', async () => {
      const id = await cli.aStored();
      const [before, after] = [await cli.phx(['--json', 'show', id]), await cli.phx(['show', id, '--json'])];
      expect(JSON.parse(before.out)).toEqual(JSON.parse(after.out));
    });

    it('lists the requested number of sessions, over several pages', async () => {
      const ids = await Promise.all(Array.from({ length: 3 }, cli.aStored));
      const { out } = await cli.phx(['list', '--limit', '2', '--json']);
      const { sessions } = JSON.parse(out) as { sessions: Session[] };
      expect(sessions).toHaveLength(2);
      const short = await cli.phx(['list', '--limit', '2']);
      expect([short.out.trimEnd().split('\n').length, short.err]).toEqual([3, expect.stringContaining('--limit')]);
      expect((await cli.phx(['list', '--limit', '1000'])).err).toBe('');
      const all = await cli.phx(['list', '--status', 'running']);
      for (const id of ids) expect(all.out).toContain(id);
    });

    it('cancels, and with --wait waits for the end', async () => {
      const id = await cli.aStored();
      const onPause = async (before: number): Promise<void> => {
        expect((await gateway.store.records.loadHead(id))?.status).toBe('cancelling');
        if (before === 2) await cli.end(id, 'cancelled');
      };
      expect(await cli.phx(['cancel', id, '--wait'], { onPause })).toMatchObject({
        code: 0,
        out: `${id}: cancelled\n`,
      });
    });

    it('refuses to cancel an ended session', async () => {
      const id = await cli.aStored();
      await cli.end(id, 'converged');
      expect((await cli.phx(['cancel', id])).code).toBe(3);
    });
  });

  describe('priority', () => {
    it('changes the priority of several sessions, and reports refusals with the reason', async () => {
      const [first, second, ended] = [await cli.aStored(), await cli.aStored(), await cli.aStored()];
      await cli.end(ended, 'converged');
      const ran = await cli.phx(['priority', 'backfill', first, ended, 'nobody', second]);
      expect(ran.out).toBe(`${first}: priority backfill\n${second}: priority backfill\n`);
      expect(ran.err).toMatch(new RegExp(`${ended}: .*ended[^]*nobody: .*Unknown session`));
      expect(ran.code).toBe(3);
      expect((await cli.phx(['show', first])).out).toMatch(/^priority: +backfill$/m);
    });

    it('reports the refusal of a single session, and rejects unknown priorities', async () => {
      const id = await cli.aStored();
      const live = await cli.phx(['priority', 'live', id]);
      expect([live.code, live.err]).toEqual([3, expect.stringContaining('this site does not allow') as string]);
      expect((await cli.phx(['priority', id, 'backfill'])).err).toContain('Allowed choices are live, standard');
      expect((await cli.phx(['priority', 'backfill', '00000000000000000000000000'])).code).toBe(4);
      const changed = await cli.phx(['priority', 'backfill', id, '--json']);
      expect(JSON.parse(changed.out)).toMatchObject([{ id, request: { priority: 'backfill' } }]);
    });
  });

  describe('resume and remove-last', () => {
    it('removes the last cycles, and prints the rest and how to continue', async () => {
      const id = await cli.withCycles(3);
      await cli.end(id, 'max_cycles');
      const { code, out } = await cli.phx(['remove-last', id, '2']);
      expect(code).toBe(0);
      expect(out).toMatch(
        /Cycles 2, 3 removed from the record.*\nRemaining cycles:\n {2}1 {2}phenix\.refine\nResume with: phx resume /,
      );
      expect((await gateway.store.records.load(id))?.cycles).toHaveLength(1);
    });

    it('refuses running sessions and more cycles than exist', async () => {
      const id = await cli.withCycles(1);
      expect((await cli.phx(['remove-last', id, '1'])).code).toBe(3);
      expect((await cli.phx(['resume', id])).code).toBe(3);
      await cli.end(id, 'max_cycles');
      const { code, err } = await cli.phx(['remove-last', id, '2']);
      expect([code, err.includes('a whole number from 1 to 1')]).toEqual([3, true]);
    });

    it('resumes with other advice and settings, and watches to the end', async () => {
      const id = await cli.withCycles(1);
      await cli.end(id, 'max_cycles');
      const resumed = cli.phx(['resume', id, '--advice', 'again', '--set', 'max_cycles=9', '--watch']);
      const { records } = gateway.store;
      await eventually('that it runs', async () => (await records.loadHead(id))?.status === 'running');
      await cli.end(id, 'converged');
      const { code, out } = await resumed;
      expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([
        0,
        expect.stringMatching(new RegExp(`^Session ${id}: solved\\. .+\\.$`)),
      ]);
      expect(out).toMatch(
        /ENDED {6}because max_cycles\nresumed {4}.*other advice, max_cycles\nadvice {5}.*\nENDED {6}because converged/,
      );
      expect(await gateway.store.records.load(id)).toMatchObject({
        request: { settings: { max_cycles: 9 } },
        guidance: { sources: [{ text: 'again' }] },
      });
    });
  });

  describe('logs', () => {
    it('prints the raw output of a program', async () => {
      const id = await cli.aStored();
      await cli.runCycle(id);
      write(cli.logOf(id), Buffer.from([0x41, 0xff, 0x0a]));
      expect(await cli.phx(['logs', id])).toMatchObject({ code: 0, out: 'A\u00ff\n' });
    });

    it('prints no control characters to a terminal', async () => {
      const id = await cli.aStored();
      await cli.runCycle(id);
      write(cli.logOf(id), 'a\u001b]0;title\u0007b\n');
      expect((await cli.phx(['logs', id], { live: true })).out).toBe(String.raw`a\u001b]0;title\u0007b` + '\n');
    });

    it('follows until the session has ended', async () => {
      const id = await cli.aStored();
      await cli.runCycle(id);
      write(cli.logOf(id), 'first\n');
      const onPause = async (before: number): Promise<void> => {
        if (before === 2) await cli.end(id, 'converged');
      };
      expect(await cli.phx(['logs', id, '-f'], { onPause })).toMatchObject({
        code: 0,
        out: 'first\n',
        err: '==> cycle 1: phenix.refine <==\n',
      });
    });

    it('follows every attempt of a cycle from its start, except one without output', async () => {
      const id = await cli.aStored();
      const { ending, ...running } = anAttempt();
      const attempts = [1, 2].map((attempt) => ({ ...anAttempt(), attempt }));
      const third = { ...running, attempt: 3 };
      const { result, ...inProgress } = aCycle({ attempts: [{ ...running, attempt: 1 }] });
      expect([ending, result].every((part) => part !== undefined)).toBe(true);
      await cli.execute(id, inProgress);
      write(cli.logOf(id, 1), 'the first attempt says a lot before its node dies\n');
      let seen = '';
      let hasEnded = false;
      const onOut = (text: string): void => void (seen += text);
      const onPause = async (before: number): Promise<void> => {
        if (before === 0) {
          await cli.execute(id, { ...inProgress, attempts: [...attempts, third] });
          write(cli.logOf(id, 3), 'the third\n');
        } else if (seen.includes('the third') && !hasEnded) {
          hasEnded = true;
          await cli.runCycle(id, aCycle({ attempts: [...attempts, { ...anAttempt(), attempt: 3 }] }));
          await cli.end(id, 'converged');
        }
      };
      const { code, out, err } = await cli.phx(['logs', id, '-f'], { onOut, onPause });
      expect([code, out]).toEqual([0, 'the first attempt says a lot before its node dies\nthe third\n']);
      expect(err).toBe('==> cycle 1: phenix.refine <==\n==> cycle 1: phenix.refine, attempt 3 <==\n');
    });

    it('continues following after a restart of the gateway', async () => {
      const { store } = gateway;
      const first = await GatewayHarness.start({ store });
      const second = await GatewayHarness.start({ store });
      const port = await freePort();
      const address = await first.listen(port);
      const id = await cli.aStored();
      await cli.runCycle(id);
      write(cli.logOf(id), 'all of it\n');
      const onPause = async (before: number): Promise<void> => {
        if (before === 0) await first.stop();
        if (before !== 2) return;
        await second.listen(port);
        await cli.end(id, 'converged');
      };
      const { code, out, err } = await runPhx(['--server', address, 'logs', id, '-f'], { onPause });
      await second.stop();
      expect([code, out]).toEqual([0, 'all of it\n']);
      expect(err).toContain('the gateway cannot be reached');
    });

    it('exits with 4 if there is no log yet', async () => {
      const id = await cli.aStored();
      expect((await cli.phx(['logs', id])).code).toBe(4);
      expect((await cli.phx(['logs', id, '--cycle', '7'])).code).toBe(4);
    });
  });

  describe('results', () => {
    it('prints the summary, and downloads every file under its cycle', async () => {
      const id = await cli.aStored();
      const path = join(cli.folderOf(id), 'c001-refine/a1', 'sub dir', 'model 1.pdb');
      write(path, 'ATOM');
      const outputs = [aFile({ path, size: 4, cycle: 1, program: 'phenix.refine' })];
      await cli.runCycle(id, aCycle({ result: aResult({ outputs }) }));
      const target = join(gateway.root, 'download');
      const { code, out } = await cli.phx(['results', id, '--download', target]);
      expect([code, out]).toEqual([0, '# a dataset\n\n']);
      expect(readFileSync(join(target, 'c001-refine', 'sub dir', 'model 1.pdb'), 'utf8')).toBe('ATOM');
      expect(readFileSync(join(target, 'summary.md'), 'utf8')).toBe('# a dataset\n');
    });

    it('downloads all files as one archive with checksums', async () => {
      const id = await cli.aStored();
      const path = join(cli.folderOf(id), 'c001-refine/a1', 'model 1.pdb');
      write(path, 'ATOM');
      const outputs = [aFile({ path, size: 4, cycle: 1, program: 'phenix.refine' })];
      await cli.runCycle(id, aCycle({ result: aResult({ outputs }) }));
      const file = join(gateway.root, 'new folder', 'all.zip');
      const { code, err } = await cli.phx(['results', id, '--zip', file]);
      expect([code, err]).toEqual([0, `${file}\n`]);
      const archive = readFileSync(file).toString('latin1');
      for (const name of ['c001-refine/model 1.pdb', 'summary.md', 'SHA256SUMS']) expect(archive).toContain(name);
      write(join(gateway.root, 'a-file'), '');
      const refused = await cli.phx(['results', id, '--zip', join(gateway.root, 'a-file/all.zip')]);
      expect([refused.code, refused.err.includes('--zip failed')]).toEqual([2, true]);
    });

    it('reports an unwritable folder', async () => {
      const id = await cli.aStored();
      write(join(gateway.root, 'a-file'), '');
      const { code, err } = await cli.phx(['results', id, '--download', join(gateway.root, 'a-file')]);
      expect([code, err.includes('--download failed')]).toEqual([2, true]);
    });
  });

  describe('the service', () => {
    it('prints programs, settings and recovered sessions', async () => {
      expect((await cli.phx(['programs'])).out).toContain('not installed');
      expect((await cli.phx(['settings'])).out).toMatch(/max_cycles +integer 1\.\.100 +20/);
      expect((await cli.phx(['recover'])).out).toMatch(/0 recovered/);
    });

    it('exits with 5 without a gateway', async () => {
      const { code, err } = await runPhx(['--server', 'http://127.0.0.1:1', 'list']);
      expect(code).toBe(5);
      expect(err).toContain('PHX_SERVER');
    });
  });
});
