import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedRoot } from '@fleet/access';
import type { Session } from '@fleet/contracts/sessions';
import { SessionFolder } from '@fleet/session-folder';
import { aFile, anId, aRequest, aSession } from '@fleet/testing';
import { CliHarness } from '../cli/cli-harness';
import type { Ran, RunOptions } from '../cli/scripted-terminal';

/** Without a key nothing can be authenticated: every file is one that an administrator has to vouch for. */
describe('phx recover', () => {
  let cli: CliHarness;
  let folders: SessionFolder;
  const start = async (adminApi: boolean): Promise<void> => {
    cli = await CliHarness.start({
      options: { adminApi },
      folders: ({ work, data }) => (folders = new SessionFolder(work, { dataRoots: [sharedRoot(data)] })),
    });
  };
  beforeEach(() => start(true));
  afterEach(() => cli.stop());

  const aLost = async (): Promise<Session> => {
    const request = aRequest({ title: 'a lost one', inputs: [aFile({ path: cli.gateway.file('a.sca') })] });
    const session = aSession({ request });
    const stored = { ...session, folder: folders.pathOf(request.proposal, session.id) };
    await folders.writeSession(stored);
    return stored;
  };
  const isThere = async ({ id }: Session): Promise<boolean> => (await cli.gateway.store.records.load(id)) !== undefined;
  const recover = (args: readonly string[] = [], options: RunOptions = {}): Promise<Ran> =>
    cli.phx(['recover', ...args], options);

  it('lists unauthenticated sessions, recovers none of them, and exits with 3', async () => {
    const lost = await aLost();
    const { code, out } = await recover();
    expect([code, await isThere(lost)]).toEqual([3, false]);
    expect(out).toContain(`NOT authenticated ${lost.id} (a lost one; running, cycle 1) in ${lost.folder}: this`);
    expect(out).toContain('phx recover --trust');
  });

  it('recovers them after the answer yes, and records user and time', async () => {
    const lost = await aLost();
    const { code, out, err } = await recover(['--trust'], { answer: 'yes' });
    expect([code, await isThere(lost)]).toEqual([0, true]);
    expect(err).toContain(lost.id);
    expect(err).toContain('No signature proves that this installation wrote these records (1)');
    expect(out).toContain('trusted, not authenticated');
    const [event] = await cli.gateway.store.events.after(lost.id, '0', 1);
    expect(event).toMatchObject({
      type: 'session_recovered',
      at: expect.stringMatching(/^\d{4}-/) as string,
      data: { notAuthenticated: 'no_key', trustedBy: 'tester' },
    });
  });

  it.each(['no', '', 'y', 'yes please'])('recovers nothing of it for the answer %j', async (answer) => {
    const lost = await aLost();
    expect((await recover(['--trust'], { answer })).code).toBe(3);
    expect(await isThere(lost)).toBe(false);
  });

  it('does not prompt without a terminal, and requires --yes', async () => {
    const lost = await aLost();
    const { code, err } = await recover(['--trust']);
    expect([code, await isThere(lost)]).toEqual([2, false]);
    expect(err).toContain('--yes');
    expect((await recover(['--trust', '--yes'])).code).toBe(0);
    expect(await isThere(lost)).toBe(true);
    expect((await recover(['--yes'])).code).toBe(2);
  });

  it('rejects sessions that changed between the question and the answer', async () => {
    const lost = await aLost();
    const path = join(lost.folder, 'session.json');
    const { untrusted } = (await cli.gateway.send('POST', '/v1/recoveries')).json() as {
      untrusted: { id: string; digest: string }[];
    };
    writeFileSync(path, readFileSync(path, 'utf8').replace('a lost one', 'another one'));
    const trust = { [lost.id]: untrusted[0]!.digest };
    const answer = await cli.gateway.send('POST', '/v1/recoveries', { body: { trust, by: 'alice' } });
    expect(answer.json()).toMatchObject({ recovered: [], untrusted: [{ id: lost.id }] });
    expect(await isThere(lost)).toBe(false);
  });

  it('exits with 3 and distinguishes a newer file from a damaged one', async () => {
    const [newer, damaged] = [anId(), anId()].map((id) => join(cli.gateway.work, 'mx1', id)) as [string, string];
    for (const folder of [newer, damaged]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(newer, 'session.json'), '{"schemaVersion":2}');
    writeFileSync(join(damaged, 'session.json'), '{');
    const { code, out } = await recover();
    expect(code).toBe(3);
    expect(out).toContain(`NEWER ${newer}: `);
    expect(out).toContain(`NOT recovered ${damaged}: `);
    expect(out).toContain('0 recovered, 0 already in the database, 2 skipped');
    rmSync(join(cli.gateway.work, 'mx1'), { recursive: true });
    expect((await recover()).code).toBe(0);
  });

  it('trusts nothing when the administration is switched off', async () => {
    await cli.stop();
    await start(false);
    const lost = await aLost();
    const { code, err } = await recover(['--trust', '--yes']);
    expect([code, await isThere(lost)]).toEqual([3, false]);
    expect(err).toContain('FLEET_ADMIN_API');
  });

  it.each<[object, string]>([
    [{ trust: {} }, 'by'],
    [{ trust: {}, by: '' }, 'by'],
    [{ trust: {}, by: 'two\nlines' }, 'by'],
    [{ trust: {}, by: 7 }, 'by'],
    [{ by: 'alice' }, 'by'],
    [{ trust: 'all', by: 'alice' }, 'trust'],
    [{ trust: { '../x': 'a'.repeat(32) }, by: 'alice' }, 'trust.../x'],
    [{ trust: { [anId()]: 'short' }, by: 'alice' }, 'trust.'],
  ])('refuses %j and names the field', async (body, field) => {
    const answer = await cli.gateway.send('POST', '/v1/recoveries', { body });
    expect(answer.status).toBe(400);
    const { problems } = answer.json() as { problems: { field: string }[] };
    expect(problems[0]?.field.startsWith(field)).toBe(true);
  });
});
