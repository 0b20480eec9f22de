import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { incomingFolder } from '@fleet/contracts';
import { startRedis, type RedisServer } from '@fleet/testing';
import { ServiceProcess } from '../hostile/service-process';
import { someReflections } from './gateway-harness';
import { sha256Of, UploadClient } from './upload-client';

const until = async (look: () => Promise<boolean>): Promise<void> => {
  while (!(await look())) await pause(50);
};

/** Gateways as processes of their own, over one Redis and one folder. */
describe('uploads over several gateways', () => {
  let redis: RedisServer;
  let root: string;
  let gateways: readonly ServiceProcess[];
  /** Larger than what is written down as kept at a time. */
  const data = Buffer.from(someReflections + '   1   0   3   134.5     4.5\n'.repeat(1_300_000));

  const start = (): Promise<ServiceProcess> =>
    ServiceProcess.start('gateway', {
      redisUrl: redis.url,
      workRoot: join(root, 'work'),
      dataRoot: join(root, 'data'),
      env: { FLEET_KNOWLEDGE_DIR: join(__dirname, '../../knowledge'), FLEET_UPLOAD_ROOT: join(root, 'data') },
    });

  beforeEach(async () => {
    redis = await startRedis();
    root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-uploads-')));
    for (const folder of ['data', 'work']) mkdirSync(join(root, folder));
    gateways = await Promise.all([start(), start()]);
    for (const gateway of gateways) await gateway.untilReady();
  });
  afterEach(async () => {
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await redis.stop();
    rmSync(root, { recursive: true });
  });

  const clients = (): readonly [UploadClient, UploadClient] => {
    const [one, other] = gateways.map(({ url }) => new UploadClient(url));
    if (one === undefined || other === undefined) throw new Error('there are two gateways');
    return [one, other];
  };
  const said = { filename: 'data.sca', proposal: 'mx1', sha256: sha256Of(data) };
  const whole = (): Buffer => readFileSync(join(root, 'data/mx1/data.sca'));

  it('let one of two write who begin at once, and the other go on where it ended', async () => {
    const [one, other] = clients();
    const id = await one.begun(said, data.length);
    const third = Math.floor(data.length / 3);
    const first = await Promise.all([one, other].map((client) => client.piece(id, 0, data.subarray(0, third))));
    expect(first.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    expect(await other.offset(id)).toBe(third);
    expect((await other.piece(id, third, data.subarray(third, 2 * third))).status).toBe(204);
    expect((await one.piece(id, 2 * third, data.subarray(2 * third))).status).toBe(204);
    expect(await other.view(id)).toMatchObject({ state: 'complete', sha256: sha256Of(data) });
    expect(sha256Of(whole())).toBe(sha256Of(data));
  });

  it('lose no byte that was said to be kept when a gateway is killed, and the other goes on', async () => {
    const [one, other] = clients();
    const id = await one.begun(said, data.length);
    await one.part(id, 0, data.subarray(0, -1), data.length);
    await until(async () => (await other.offset(id)) > 0);
    gateways[0]?.child.kill('SIGKILL');
    await gateways[0]?.ended;
    const kept = await other.offset(id);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(data.length);
    // Until the hold of the one that was killed is over.
    await until(async () => (await other.piece(id, kept, data.subarray(kept))).status === 204);
    expect(sha256Of(whole())).toBe(sha256Of(data));
    expect(readdirSync(join(root, 'data/mx1', incomingFolder))).toEqual([]);
  });
});
