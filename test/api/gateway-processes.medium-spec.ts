import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MeView } from '@fleet/contracts/access';
import type { AuditPage } from '@fleet/contracts/audit';
import { incomingFolder } from '@fleet/contracts/uploads';
import { Client } from 'pg';
import { newKeyText } from '@fleet/keys';
import { useFolder } from '@fleet/testing';
import { ServiceProcess } from '../hostile/service-process';
import { eventually } from '../loop/loop-harness';
import { startServers, type Servers } from '../support/servers';
import { someReflections } from './some-files';
import { sha256Of, UploadClient } from './upload-client';

/**
 * Gateways as processes of their own, over one database and one work root. Two of them serve all tests, in the order of the file: the first is
 * killed in an upload, and both while they write the audit log.
 */
describe('gateway processes', () => {
  let servers: Servers;
  const root = useFolder('file');
  const { text: key } = newKeyText();
  const authorization = `Bearer ${key}`;
  let client: Client;
  const started: ServiceProcess[] = [];
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
    const gateway = await ServiceProcess.start('gateway', {
      servers: servers.env,
      workRoot: join(root, 'work'),
      dataRoot: join(root, 'data'),
      env: {
        FLEET_INSTALLATION_KEY_FILE: join(root, 'installation.key'),
        FLEET_GATEWAY_HOST: '0.0.0.0',
        FLEET_UPLOAD_ROOT: join(root, 'data'),
        FLEET_DATA_ROOTS: join(root, 'data/{proposal}'),
        FLEET_SHARED_ACCOUNT: 'accepted',
        ...env,
      },
    });
    started.push(gateway);
    return gateway;
  };
  let gateways: readonly [ServiceProcess, ServiceProcess];

  beforeAll(async () => {
    servers = await startServers();
    client = new Client({ connectionString: servers.databaseUrl });
    await client.connect();
    for (const folder of ['data', 'work']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'installation.key'), randomBytes(32).toString('base64'), { mode: 0o600 });
    writeFileSync(join(root, 'admin.key'), `${key}\n`, { mode: 0o600 });
  });
  afterAll(async () => {
    await Promise.all(started.map((gateway) => gateway.kill()));
    await client.end();
    await servers.stop();
  });

  const me = async (gateway: ServiceProcess, headers: Record<string, string> = {}): Promise<[number, MeView]> => {
    const answer = await fetch(`${gateway.url}/v1/me`, { headers });
    return [answer.status, (await answer.json()) as MeView];
  };

  it('listen only on localhost without keys: exit code 78 with a remedy otherwise', async () => {
    const gateway = await start();
    expect(await gateway.ended).toBe(78);
    expect(gateway.said).toMatch(
      /FLEET_GATEWAY_HOST: is "0\.0\.0\.0", but there is no API key yet.*FLEET_OPEN_ACCESS/s,
    );
  });

  it('start with a key only if data roots name their owners and one account for all programs is accepted', async () => {
    const withKey = { FLEET_INITIAL_ADMIN_KEY_FILE: join(root, 'admin.key') };
    const undivided = await start({ ...withKey, FLEET_DATA_ROOTS: join(root, 'data') });
    expect(await undivided.ended).toBe(78);
    expect(undivided.said).toMatch(/FLEET_DATA_ROOTS: ".*data" does not identify the owners of folders.*\{proposal\}/s);
    const shared = await start({ ...withKey, FLEET_SHARED_ACCOUNT: 'refused' });
    expect(await shared.ended).toBe(78);
    expect(shared.said).toMatch(/FLEET_SHARED_ACCOUNT: is "refused"/);
  });

  it('listen on all interfaces with a key from a file, also when two start at once', async () => {
    const withKey = { FLEET_INITIAL_ADMIN_KEY_FILE: join(root, 'admin.key') };
    gateways = await Promise.all([start(withKey), start(withKey)]);
    await Promise.all(gateways.map((gateway) => gateway.untilReady()));
    for (const gateway of gateways) {
      expect(await me(gateway)).toMatchObject([401, { code: 'access.no_credentials' }]);
      expect(await me(gateway, { authorization })).toMatchObject([200, { id: 'administrator', role: 'admin' }]);
    }
  });

  /** Larger than the bytes that are acknowledged at a time. */
  const data = Buffer.from(someReflections + '   1   0   3   134.5     4.5\n'.repeat(700_000));
  const sha256 = sha256Of(data);
  const declaration = (filename: string) => ({ filename, proposal: 'mx1', sha256 });
  const whole = (filename: string): Buffer => readFileSync(join(root, 'data/mx1', filename));
  const clients = () =>
    gateways.map(({ url }) => new UploadClient(url, { authorization })) as [UploadClient, UploadClient];

  it('accept one of two concurrent writers of an upload, and let the other continue at its offset', async () => {
    const [one, other] = clients();
    const id = await one.begun(declaration('first.sca'), data.length);
    const third = Math.floor(data.length / 3);
    const first = await Promise.all([one, other].map((client) => client.chunk(id, 0, data.subarray(0, third))));
    expect(first.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    expect(await other.offset(id)).toBe(third);
    expect((await other.chunk(id, third, data.subarray(third, 2 * third))).status).toBe(204);
    expect((await one.chunk(id, 2 * third, data.subarray(2 * third))).status).toBe(204);
    expect(await other.view(id)).toMatchObject({ state: 'complete', sha256 });
    expect(sha256Of(whole('first.sca'))).toBe(sha256);
  });

  /** The changes of each of four clients that its gateway has confirmed. */
  const confirmed: string[][] = [];
  /** One of them changes something again and again until its gateway is dead. */
  const changeUntilDeath = async (gateway: ServiceProcess, name: string): Promise<void> => {
    const mine: string[] = [];
    confirmed.push(mine);
    for (let number = 0; ; number += 1) {
      const request = `${name}-${String(number)}`;
      const answer = await fetch(`${gateway.url}/v1/admin/launch`, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'application/json', 'x-request-id': request },
        body: JSON.stringify({ mode: 'open', reason: request, by: 'root' }),
      }).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.ok) mine.push(request);
    }
  };
  const changes: Promise<void>[] = [];

  it('lose no acknowledged byte when one is killed, and the other continues', async () => {
    const [one, other] = clients();
    const id = await one.begun(declaration('second.sca'), data.length);
    const { cut } = await one.part(id, 0, data.subarray(0, -1), data.length);
    await eventually(
      () => other.offset(id),
      (offset) => offset > 0,
    );
    for (const [index, gateway] of gateways.entries())
      for (const name of ['a', 'b']) changes.push(changeUntilDeath(gateway, `${name}${String(index)}`));
    await eventually(
      () => Promise.resolve(confirmed),
      (all) => all.every((mine) => mine.length >= 10),
    );
    await gateways[0].kill();
    const offset = await other.offset(id);
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThan(data.length);
    cut();
    // The one that was killed holds it still, until its time is over.
    expect((await other.chunk(id, offset, data.subarray(offset, offset + 1))).status).not.toBe(204);
    const { rowCount } = await client.query('UPDATE upload_writers SET until = now() WHERE upload = $1', [id]);
    expect(rowCount).toBe(1);
    expect((await other.chunk(id, offset, data.subarray(offset))).status).toBe(204);
    expect(sha256Of(whole('second.sca'))).toBe(sha256);
    expect(readdirSync(join(root, 'data/mx1', incomingFolder))).toEqual([]);
  });

  const auditLogOf = async ({ url }: ServiceProcess): Promise<readonly AuditPage[]> => {
    const pages: AuditPage[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await fetch(`${url}/v1/admin/audit?limit=1000${query}`, { headers: { authorization } });
      pages.push((await answer.json()) as AuditPage);
    }
    return pages;
  };

  it('keep each acknowledged change exactly once after both are killed and the database is emptied: audit log and keys', async () => {
    await gateways[1].kill();
    await Promise.all(changes);
    await servers.emptyDatabase();
    // Its key is in the work folder: it needs neither the database nor the file any more.
    const again = await start();
    await again.untilReady();
    expect(await me(again, { authorization })).toMatchObject([200, { id: 'administrator' }]);
    const pages = await auditLogOf(again);
    const entries = pages.flatMap((page) => page.entries).filter(({ request }) => /^[ab][01]-/.test(request));
    const done = new Set(entries.filter(({ outcome }) => outcome === 'done').map(({ request }) => request));
    expect(confirmed.flat().filter((request) => !done.has(request))).toEqual([]);
    expect(new Set(entries.map(({ request }) => request)).size).toBe(entries.length);
    expect(entries.filter(({ outcome }) => outcome !== 'done' && outcome !== 'unknown')).toEqual([]);
    const reasons = pages.flatMap(({ damages }) => damages.map(({ reason }) => reason));
    expect(reasons.filter((reason) => !reason.startsWith('its last line is not whole'))).toEqual([]);
  });
});
