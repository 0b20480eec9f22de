import type { Session } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

describe('phx fork', () => {
  const cli = useStarted('file', () => CliHarness.start());

  it('starts a session from a cycle, and prints how to follow it; phx show names its origin', async () => {
    const id = await cli.withCycles(2);
    const { code, out } = await cli.phx(['fork', id, '1', '--advice', 'use data to 2.5 Å', '--set', 'max_cycles=4']);
    expect(code).toBe(0);
    const [made = '', from, understood, watch] = out.split('\n');
    expect([from, watch]).toEqual([`Forked from ${id}, after cycle 1`, `Watch it with: phx watch ${made}`]);
    expect(understood).toContain('resolution is 2.5');
    expect(await cli.gateway.store.records.load(made)).toMatchObject({
      cycle: 2,
      request: { settings: { max_cycles: 4 }, forkedFrom: { session: id, afterCycle: 1 } },
    });
    expect((await cli.phx(['show', made])).out).toMatch(new RegExp(`^forked: +from ${id}, after cycle 1$`, 'm'));
    expect((await cli.phx(['show', id])).out).not.toContain('forked:');
  });

  it('creates one session per idempotency key', async () => {
    const id = await cli.withCycles(1);
    const fork = async (): Promise<Session> => {
      const { out } = await cli.phx(['fork', id, '1', '--title', 'again', '--idempotency-key', `k-${id}`, '--json']);
      return JSON.parse(out) as Session;
    };
    const first = await fork();
    expect(first.request.title).toBe('again');
    expect((await fork()).id).toBe(first.id);
  });

  it('names the finished cycles if the given one is not finished', async () => {
    const id = await cli.withCycles(2);
    const { code, err } = await cli.phx(['fork', id, '3']);
    expect([code, err]).toEqual([3, expect.stringContaining('allowed: 1, 2')]);
    expect((await cli.phx(['fork', '00000000000000000000000000', '1'])).code).toBe(4);
  });

  it.each(['0', 'two', '-1'])('rejects cycle %s without a request', async (cycle) => {
    const id = await cli.withCycles(1);
    expect((await cli.phx(['fork', id, '--', cycle])).code).toBe(2);
  });
});
