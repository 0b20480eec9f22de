import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { aCycle, anAttempt, anId, eventually, freePort, useStarted } from '@fleet/testing';
import { GatewayHarness } from '../api/gateway-harness';
import { CliHarness, write } from './cli-harness';
import { runPhx } from './scripted-terminal';

describe('phx submit and watch', () => {
  let gateway: GatewayHarness;
  const cli = useStarted('file', () => CliHarness.start());
  beforeAll(() => {
    ({ gateway } = cli);
  });

  describe('submit', () => {
    it('resolves files against the current folder and prints the id', async () => {
      gateway.file('submit/data.sca');
      const { code, out } = await cli.phx(
        ['submit', 'data.sca', '--set', 'max_cycles=3', '--set', 'analysis_only=true'],
        {
          cwd: join(gateway.data, 'submit'),
        },
      );
      expect(code).toBe(0);
      const session = await gateway.store.records.load(out.split('\n')[0] ?? '');
      expect(session?.request).toMatchObject({ submitter: 'tester', settings: { max_cycles: 3, analysis_only: true } });
    });

    it('prints one JSON document with --json', async () => {
      const { code, out } = await cli.phx(['submit', gateway.file('json/data.sca'), '--json']);
      expect([code, (JSON.parse(out) as Session).status]).toEqual([0, 'running']);
    });

    it.each(['two words.sca', '$(id).sca', 'new\nline.sca', "q'uote.sca"])('accepts a file named %j', async (name) => {
      expect((await cli.phx(['submit', gateway.file(`names/${name}`)])).code).toBe(0);
    });

    it('accepts a name with a leading dash after --', async () => {
      gateway.file('dash/-rf.sca');
      expect((await cli.phx(['submit', '--', '-rf.sca'], { cwd: join(gateway.data, 'dash') })).code).toBe(0);
    });

    it('prints every problem of a refusal and exits with 3', async () => {
      const { code, err } = await cli.phx(['submit', '/etc/passwd', '--set', 'max_cycels=2', '--set', 'max_cycles=0']);
      expect(code).toBe(3);
      expect(err).toMatch(/submission\.invalid/);
      expect(err).toMatch(/files\[0\]: .*outside the data folders/);
      expect(err).toMatch(/settings\.max_cycels: .*did you mean "max_cycles"/);
      expect(err).toMatch(/settings\.max_cycles: 0 is not allowed\n {4}allowed: a whole number from 1 to 100/);
    });

    it('sends every setting, so that the gateway reports unknown ones', async () => {
      const settings = ['constructor=1', 'analysis_only=toString'].flatMap((entry) => ['--set', entry]);
      const { code, err } = await cli.phx(['submit', gateway.file('odd/data.sca'), ...settings]);
      expect(code).toBe(3);
      expect(err).toContain('settings.constructor: unknown setting');
      expect(err).toContain('settings.analysis_only: must be true or false, not "toString"');
    });

    it('prints a refusal as JSON with --json', async () => {
      const { err, out } = await cli.phx(['submit', '/etc/passwd', '--json']);
      expect(JSON.parse(err)).toMatchObject({ code: 'submission.invalid', problems: [{ field: 'files[0]' }] });
      expect(out).toBe('');
    });

    it('reads advice from a file, and refuses both kinds of advice', async () => {
      const advice = gateway.file('advice/advice.txt', 'be quick');
      const file = gateway.file('advice/data.sca');
      const { out } = await cli.phx(['submit', file, '--advice-file', advice, '--json']);
      expect((JSON.parse(out) as Session).request.advice).toBe('be quick');
      expect((await cli.phx(['submit', file, '--advice-file', advice, '--advice', 'x'])).code).toBe(2);
      expect((await cli.phx(['submit', file, '--advice-file', '/none'])).code).toBe(2);
    });

    it.each([
      ['YAML', 'stop_conditions:\n  after_program: phenix.refine # enough\n'],
      ['JSON', '{"stop_conditions": {"after_program": "phenix.refine"}}'],
    ])('reads directives from %s', async (_, content) => {
      const directives = gateway.file('directives/file', content);
      const args = ['submit', gateway.file('directives/data.sca'), '--directives', directives, '--json'];
      const { request } = JSON.parse((await cli.phx(args)).out) as Session;
      expect(request.directives).toEqual({ stop_conditions: { after_program: 'phenix.refine' } });
    });

    it('names an unreadable directives file, and the field that the gateway rejected', async () => {
      const submit = ['submit', gateway.file('directives/data.sca'), '--directives'];
      const broken = await cli.phx([...submit, gateway.file('directives/broken', 'a: [')]);
      expect([broken.code, broken.err]).toEqual([2, expect.stringContaining('is neither YAML nor JSON')]);
      expect((await cli.phx([...submit, '/none'])).code).toBe(2);
      const wrong = await cli.phx([...submit, gateway.file('directives/wrong', 'stop_conditions: {after: 3}')]);
      expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('directives.stop_conditions.after: ')]);
    });

    it('resends a submission after a lost response, which creates one session', async () => {
      const keys: unknown[] = [];
      const proxy = createServer((request, response) => {
        if (request.url?.endsWith('/preview') === true) return void response.end('{"files":[],"problems":[]}');
        keys.push(request.headers['idempotency-key']);
        const pieces: Buffer[] = [];
        request.on('data', (piece: Buffer) => pieces.push(piece));
        request.on('end', () => {
          const headers = { 'content-type': 'application/json', 'idempotency-key': String(keys.at(-1)) };
          void fetch(`${cli.url}/v1/sessions`, { method: 'POST', body: Buffer.concat(pieces), headers }).then(
            async (answer) => {
              if (keys.length === 1) request.socket.destroy();
              else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
            },
          );
        });
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const { port } = proxy.address() as AddressInfo;
      const file = gateway.file('lost/data.sca');
      const server = ['--server', `http://127.0.0.1:${String(port)}`];
      const { code, out } = await runPhx([...server, 'submit', file, '--title', 'lost once', '--json']);
      proxy.close();
      expect([code, keys.length, new Set(keys).size]).toEqual([0, 2, 1]);
      const { sessions } = await gateway.store.index.list({}, 100);
      expect(sessions.filter(({ title }) => title === 'lost once').map(({ id }) => id)).toEqual([
        (JSON.parse(out) as Session).id,
      ]);
    });

    it('creates a new session at every call without an idempotency key', async () => {
      const args = ['submit', gateway.file('new/data.sca'), '--json'];
      const [first, second] = [await cli.phx(args), await cli.phx(args)];
      expect((JSON.parse(first.out) as Session).id).not.toBe((JSON.parse(second.out) as Session).id);
    });

    it('returns the same session for the same idempotency key, and rejects another submission with it', async () => {
      const args = ['submit', gateway.file('key/data.sca'), '--idempotency-key', 'k', '--json'];
      const [first, second] = [await cli.phx(args), await cli.phx(args)];
      expect((JSON.parse(first.out) as Session).id).toBe((JSON.parse(second.out) as Session).id);
      expect((await cli.phx([...args, '--title', 'other'])).code).toBe(3);
    });
  });

  describe('watch', () => {
    it.each([
      ['converged', 0],
      ['program_failed', 6],
      ['cancelled', 3],
    ] as const)('exits by how the session ended: %s', async (reason, expected) => {
      const id = await cli.aStored();
      await cli.runCycle(id);
      let seen = '';
      const watching = cli.phx(['watch', id], { onOut: (text) => (seen += text) });
      await eventually('the first cycle', () => seen.includes('done'));
      await cli.end(id, reason);
      const { code, out } = await watching;
      expect(code).toBe(expected);
      expect(out).toContain(`because ${reason}`);
    });

    it('prints the folder once, short file names and the exact command', async () => {
      const id = await cli.aStored();
      const folder = cli.folderOf(id);
      await cli.runCycle(id, aCycle(), [`${folder}/c001-refine/a1/refine_001.pdb`, '/elsewhere/x.pdb']);
      await cli.end(id, 'converged');
      const { out } = await cli.phx(['watch', id]);
      expect(out.startsWith(`Session ${id}, files in ${folder}\n`)).toBe(true);
      expect(out).toContain('  file       c001-refine/a1/refine_001.pdb\n');
      expect(out).toContain('  file       /elsewhere/x.pdb\n');
      expect(out).toContain(`phenix.refine 'two words.mtz' 'it'\\''s' ${folder}/c001-refine\n`);
    });

    it.each([
      ['quiet', false, false],
      ['normal', true, false],
      ['verbose', true, true],
      ['debug', true, true],
    ] as const)('shows as much as --verbosity %s asks for', async (level, command, thought) => {
      const id = await cli.aStored();
      await cli.runCycle(id);
      await cli.end(id, 'converged');
      const { code, out } = await cli.phx(['watch', id, '--verbosity', level]);
      expect([code, out.includes('phenix.refine'), out.includes('thinking')]).toEqual([0, command, thought]);
    });

    it('quotes commands, and keeps each on one line', async () => {
      const id = await cli.aStored();
      await cli.runCycle(id);
      await cli.end(id, 'converged');
      const { out } = await cli.phx(['watch', id]);
      expect(out).toContain(`phenix.refine 'two words.mtz' 'it'\\''s'`);
      expect(out).toContain('/work/new\\nline.pdb');
    });

    it('prints one event per line with --json', async () => {
      const id = await cli.aStored();
      await cli.runCycle(id);
      await cli.end(id, 'converged');
      const { out } = await cli.phx(['watch', id, '--json']);
      const types = out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type);
      expect([types[0], types.at(-1), types.length]).toEqual(['session_submitted', 'session_ended', 7]);
    });

    it('writes no control characters into a pipe, and a status line on a terminal', async () => {
      const id = await cli.aStored();
      const { ending, ...running } = anAttempt();
      expect(ending).toBeDefined();
      write(cli.logOf(id), 'R-free now \u001b[31m0.25\n#-----#\n');
      await cli.runCycle(id, aCycle({ attempts: [running] }));
      let seen = '';
      const live = cli.phx(['watch', id], { live: true, onOut: (text) => (seen += text) });
      const piped = cli.phx(['watch', id]);
      await eventually('the live line', () => seen.includes('R-free now'));
      await cli.end(id, 'converged');
      expect(seen).not.toContain('\u001b[31m');
      expect((await live).out).toContain('\r\u001b[2K');
      expect((await piped).out.split('').filter((letter) => letter < ' ' && letter !== '\n')).toEqual([]);
    });

    it('continues after a restart of the gateway without lost or repeated events', async () => {
      const store = gateway.store;
      const first = await GatewayHarness.start({ store });
      const port = await freePort();
      const address = await first.listen(port);
      const id = await cli.aStored();
      let seen = '';
      const watching = runPhx(['--server', address, 'watch', id, '--json'], { onOut: (text) => (seen += text) });
      await eventually('the first event', () => seen.includes('session_submitted'));
      await first.stop();
      await cli.runCycle(id);
      const second = await GatewayHarness.start({ store });
      await second.listen(port);
      await cli.end(id, 'converged');
      const { code, out, err } = await watching;
      await second.stop();
      expect([code, out.trimEnd().split('\n').length]).toEqual([0, 7]);
      expect(err).toContain(`Session ${id}, files in`);
      expect(err).toContain('the gateway cannot be reached');
    });

    it('survives an outage of the gateway between the last event and the final status', async () => {
      let requests = 0;
      const server = createServer(({ url = '' }, response) => {
        if (url.endsWith('/events')) return void response.writeHead(204).end();
        requests += 1;
        if (requests === 2) return void response.destroy();
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"status":"failed","folder":"/work/s","cycles":[]}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const { code, err } = await runPhx(['--server', `http://127.0.0.1:${port}`, 'watch', anId()]);
      server.close();
      expect([code, requests]).toEqual([6, 3]);
      expect(err).toContain('the gateway cannot be reached');
    });

    it('waits for a gateway without database, before its first response and after each', async () => {
      const requests: string[] = [];
      const away = {
        code: 'store.unreachable',
        title: 'Service unavailable',
        detail: 'The database is away.',
        status: 503,
        requestId: 'r',
      };
      const server = createServer(({ url = '' }, response) => {
        const path = url.split('/').at(-1) ?? '';
        requests.push(path);
        const json = { 'content-type': 'application/json' };
        if (requests.filter((one) => one === path).length === 1)
          return void response.writeHead(503, { ...json, 'retry-after': '1' }).end(JSON.stringify(away));
        if (path === 'events') return void response.writeHead(204).end();
        response.writeHead(200, json).end('{"status":"failed","folder":"/work/s","cycles":[]}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const id = anId();
      const { code, err } = await runPhx(['--server', `http://127.0.0.1:${port}`, 'watch', id]);
      server.close();
      expect([code, requests]).toEqual([6, ['status', 'status', 'events', 'events', id, id]]);
      expect(err.split('the gateway cannot answer at the moment')).toHaveLength(4);
    });

    it('leaves the session running on Ctrl-C, and reports it', async () => {
      const id = await cli.aStored();
      const interrupt = new AbortController();
      const onOut = (): void => interrupt.abort();
      const watching = cli.phx(['watch', id], { interrupted: interrupt.signal, onOut });
      const { code, err } = await watching;
      expect(code).toBe(130);
      expect(err).toContain(`phx watch ${id}`);
      expect((await gateway.store.records.loadHead(id))?.status).toBe('running');
    });

    it('exits with 4 for an unknown session', async () => {
      expect((await cli.phx(['watch', anId()])).code).toBe(4);
    });
  });
});
