import { useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

const hour = 3_600_000;
const later = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();

describe('phx admin maintenance', () => {
  const cli = useStarted('test', () => CliHarness.start());

  const announce = (from: number, until: number, ...more: readonly string[]) =>
    cli.phx([
      'admin',
      'maintenance',
      'announce',
      '--from',
      later(from),
      '--until',
      later(until),
      '--text',
      'the disk is changed',
      ...more,
    ]);
  const idOf = async (): Promise<string> => (await cli.gateway.store.launches.windows())[0]?.id ?? '';

  it('announces a window, lists it, extends and cancels it', async () => {
    expect((await cli.phx(['admin', 'maintenance', 'list'])).out).toBe('No maintenance windows.\n');
    const announced = await announce(24, 28, '--drain', '45');
    expect([announced.code, announced.out]).toMatchObject([
      0,
      expect.stringMatching(
        /^\w{26}: Maintenance \w{3} \d+ \w{3} \d\d:\d\d to .*\d\d:\d\d CES?T: the disk is changed\. From .* on no programs are started; /,
      ) as unknown,
    ]);
    const id = await idOf();
    expect((await cli.phx(['admin', 'maintenance', 'list'])).out).toMatch(
      new RegExp(
        `^ID +WHEN +NO LAUNCHES FROM +STATE +BY +WHAT\n${id} .*45 min before +ahead +.*the disk is changed\n$`,
      ),
    );
    expect((await cli.phx(['admin', 'maintenance', 'change', id, '--until', later(30)])).code).toBe(0);
    expect(await cli.gateway.store.launches.windows()).toMatchObject([
      { drainMinutes: 45, text: 'the disk is changed' },
    ]);
    expect((await cli.phx(['admin', 'maintenance', 'cancel', id])).out).toMatch(
      /^cancelled: .*: the disk is changed\n$/,
    );
    expect((await cli.phx(['admin', 'maintenance', 'cancel', id])).code).toBe(4);
  });

  it('reports problems of a window', async () => {
    const backwards = await announce(28, 24);
    expect([backwards.code, backwards.err]).toMatchObject([
      3,
      expect.stringContaining('until: is not after from') as unknown,
    ]);
    expect((await announce(24, 28, '--drain', 'long')).code).toBe(2);
    expect((await cli.phx(['admin', 'maintenance', 'announce', '--from', later(1)])).code).toBe(2);
  });

  it('is printed below the output for people, and not in JSON', async () => {
    await announce(-1, 2);
    const listed = await cli.phx(['list']);
    expect([listed.code, listed.err]).toMatchObject([
      0,
      expect.stringMatching(
        /^Maintenance .*: the disk is changed\. No programs are started; what waits starts by itself afterwards\.\n$/,
      ) as unknown,
    ]);
    expect((await cli.phx(['list', '--json'])).err).toBe('');
    expect((await cli.phx(['admin', 'status'])).out).toMatch(
      /^launches +paused: the disk is changed, .*, for maintenance /,
    );
    await cli.phx(['admin', 'maintenance', 'cancel', await idOf()]);
    expect((await cli.phx(['list'])).err).toBe('');
  });

  it('is not announced a month before', async () => {
    await announce(30 * 24, 30 * 24 + 4);
    expect((await cli.phx(['list'])).err).toBe('');
  });
});
