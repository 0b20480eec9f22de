import type { Finding } from '@fleet/contracts/administration';
import { MemorySiteLooks } from '@fleet/redis';
import { CliHarness } from './cli-harness';
import type { RunOptions } from './scripted-terminal';

const good: Finding = { check: 'database.version', level: 'ok', seen: 'PostgreSQL is version 16.4.' };
const bad: Finding = {
  check: 'redis.eviction',
  level: 'error',
  seen: 'maxmemory-policy is allkeys-lru.',
  why: 'Redis would evict sessions.',
  remedy: 'redis-cli CONFIG SET maxmemory-policy noeviction',
};

describe('phx admin doctor', () => {
  const ran = async (findings: readonly Finding[], args: readonly string[] = []) => {
    const cli = await CliHarness.start({ checkups: [{ area: 'redis', check: () => Promise.resolve(findings) }] });
    const result = await cli.phx([...args, 'admin', 'doctor']);
    await cli.stop();
    return result;
  };

  it('prints reason and remedy of each problem, and exits with 8', async () => {
    const { code, out } = await ran([good, bad]);
    expect(code).toBe(8);
    expect(out).toMatch(
      /^ok +database\.version: PostgreSQL is version 16\.4\.\nERROR +redis\.eviction: maxmemory-policy is allkeys-lru\.\n +why: Redis would evict sessions\.\n +what to do: redis-cli CONFIG SET maxmemory-policy noeviction\n1 error, 0 warnings, 1 ok; as seen from /,
    );
  });

  it('exits with 0 without errors, and prints one document with --json', async () => {
    const { code, out } = await ran([{ ...bad, level: 'warning' }], ['--json']);
    expect([code, JSON.parse(out)]).toMatchObject([0, { findings: [{ check: 'redis.eviction', level: 'warning' }] }]);
  });

  it('waits for a trial with --pods, and prints its findings', async () => {
    const looks = new MemorySiteLooks();
    const cli = await CliHarness.start({ looks, checkups: [{ area: 'redis', check: () => Promise.resolve([good]) }] });
    /** As an executor that takes the trial while phx waits. */
    const finding = (findings: readonly Finding[]): RunOptions => ({
      onPause: async (before) => {
        const trial = before === 2 ? await looks.takeTrial('executor-1', 30_000) : undefined;
        if (trial !== undefined) await looks.endTrial(trial, findings);
      },
    });
    const found = finding([{ ...bad, check: 'trial.gpu.start' }]);
    const { code, out } = await cli.phx(['admin', 'doctor', '--pods'], found);
    const { code: fine, out: document } = await cli.phx(['--json', 'admin', 'doctor', '--pods'], finding([]));
    await cli.stop();
    expect(code).toBe(8);
    expect(out).toMatch(
      /database\.version.*\nERROR +trial\.gpu\.start: .*\n.*why.*\n.*what to do.*\ntrial by executor-1\n1 error, 0 warnings, 1 ok/,
    );
    expect([fine, JSON.parse(document)]).toMatchObject([
      0,
      { findings: [good], trial: { state: 'done', findings: [] } },
    ]);
  });
});
