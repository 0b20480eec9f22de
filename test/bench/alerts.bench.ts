// @needs prometheus
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRedis } from '@fleet/redis';
import { freePort } from '@fleet/testing';
import { queriesOf, withAllChosen, type GrafanaDashboard } from '../docs/grafana-dashboard';
import { Standalone, testData } from '../e2e/standalone';
import { deliver, figure } from './figures';
import { chartFiles, Monitoring } from './monitoring';

/**
 * The chart's alerts and dashboards on a real Prometheus and Alertmanager, beside real services: each of these alerts is made to fire by a
 * fault, and to clear once it is fixed. Times are shortened (`hastened`); those as they stand are walked by promtool (test/chart/alerts.test.yaml).
 */
const waitMs = 180_000;

/** A small disk of its own, so that filling it costs nobody else anything. */
const smallDisk = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1g', 'tmpfs', folder]);
  return folder;
};

interface Fault {
  readonly alerts: readonly string[];
  readonly break: () => Promise<void> | void;
  readonly fix: () => Promise<void> | void;
}

describe('alerts on a real Prometheus and Alertmanager', () => {
  let disk: string;
  let standalone: Standalone;
  let monitoring: Monitoring;
  let redis: ReturnType<typeof connectRedis>;

  beforeAll(async () => {
    disk = smallDisk();
    const gateway = await freePort();
    process.env['FLEET_HEALTH_PORT'] = String(gateway);
    standalone = await Standalone.start([testData()], {}, join(disk, 'standalone'));
    const { services } = standalone.state;
    const ports = Object.entries(services).map(([name, { port }]) => [name, name === 'gateway' ? gateway : port]);
    monitoring = new Monitoring(Object.fromEntries(ports) as Readonly<Record<string, number>>, {
      prometheus: await freePort(),
      alertmanager: await freePort(),
      receiver: await freePort(),
    });
    redis = connectRedis({ url: readFileSync(standalone.state.redis.urlFile, 'utf8').trim() });
  });

  afterAll(async () => {
    redis.disconnect();
    monitoring.stop();
    await standalone.stop();
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true });
  });

  const signal = (service: string, what: 'SIGSTOP' | 'SIGCONT'): void => {
    const pid = standalone.state.services[service]?.pid;
    if (pid === undefined) throw new Error(`the installation has no ${service}`);
    process.kill(pid, what);
  };
  const submit = (): Promise<string> =>
    standalone.submit('--set', 'max_cycles=1', testData('tiny_5e5z', '5e5z.mtz'), testData('tiny_5e5z', '5e5z.pdb'));
  const admin = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await standalone.phx('admin', ...args);
    if (code !== 0) throw new Error(`phx admin ${args.join(' ')}: ${stderr}`);
  };
  const seen = async (what: string, look: () => Promise<boolean> | boolean): Promise<void> => {
    const until = Date.now() + waitMs;
    while (!(await look())) {
      if (Date.now() > until) throw new Error(`never seen: ${what}`);
      await sleep(500);
    }
  };
  const holds = async (query: string): Promise<void> =>
    seen(query, async () => (await monitoring.ask(query)).length > 0);

  const faults = (): readonly Fault[] => {
    const filler = join(disk, 'filler');
    const limit = async (bytes: number): Promise<void> => {
      await redis.config('SET', 'maxmemory', bytes);
    };
    return [
      {
        alerts: ['PhenixFleetBacklogOld'],
        break: async () => {
          signal('decision-worker', 'SIGSTOP');
          await submit();
        },
        fix: () => signal('decision-worker', 'SIGCONT'),
      },
      {
        alerts: ['PhenixFleetNothingLaunches'],
        break: async () => {
          await admin('pause', '--reason', 'bench');
          await submit();
          await holds('phenix_fleet_launches_waiting{reason="paused"} > 0');
          signal('executor-worker', 'SIGSTOP');
          await admin('resume');
        },
        fix: () => signal('executor-worker', 'SIGCONT'),
      },
      {
        alerts: ['PhenixFleetCancelsHang'],
        break: async () => {
          signal('executor-worker', 'SIGSTOP');
          const { code, stderr } = await standalone.phx('cancel', await submit());
          if (code !== 0) throw new Error(`phx cancel: ${stderr}`);
        },
        fix: () => signal('executor-worker', 'SIGCONT'),
      },
      {
        alerts: ['PhenixFleetRedisNearlyFull'],
        break: async () => {
          const used = /used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? '0';
          await limit(Math.round(Number(used) * 1.15));
        },
        fix: () => limit(0),
      },
      {
        alerts: ['PhenixFleetWorkVolumeFull', 'PhenixFleetWorkVolumeExhausted'],
        break: () => {
          const { bavail, bsize } = statfsSync(disk);
          execFileSync('fallocate', ['-l', String(Math.max(0, bavail * bsize - 12_000_000)), filler]);
        },
        fix: () => rmSync(filler),
      },
      {
        alerts: ['PhenixFleetFiguresMissing'],
        break: () => signal('gateway', 'SIGSTOP'),
        fix: () => signal('gateway', 'SIGCONT'),
      },
    ];
  };

  it('fire by their fault and clear once it is fixed, and every query of the dashboards is answered', async () => {
    await seen('Prometheus', () => monitoring.isReady());
    await submit();
    await holds('sum(phenix_fleet_session_ends_total) > 0');
    const { firing, cleared } = monitoring.receiver;
    const wanted = faults();
    for (const { alerts, break: fail, fix } of wanted) {
      await fail();
      await seen(`${alerts.join(', ')} firing`, () => alerts.every((one) => firing.has(one)));
      await fix();
      await seen(`${alerts.join(', ')} cleared`, () => alerts.every((one) => cleared.has(one)));
    }
    const queries = readdirSync(join(chartFiles, 'dashboards')).flatMap((name) =>
      queriesOf(JSON.parse(readFileSync(join(chartFiles, 'dashboards', name), 'utf8')) as GrafanaDashboard),
    );
    let empty = queries;
    // Figures that are read at the most every few seconds come back one by one.
    for (let look = 0; look < 12 && empty.length > 0; look += 1) {
      await sleep(2_500);
      const left: string[] = [];
      for (const query of empty) if ((await monitoring.ask(withAllChosen(query))).length === 0) left.push(query);
      empty = left;
    }
    process.stderr.write(`Nothing to tell here:\n${empty.map((one) => `  ${one}\n`).join('')}`);
    const total = wanted.flatMap(({ alerts }) => alerts);
    deliver([
      figure('alerts that fired and cleared', total.filter((one) => cleared.has(one)).length, '>=', total.length),
      // Without models, Kubernetes, cryo-EM, failures or programs that wait, a third of them have nothing to tell.
      figure('queries of the dashboards with rows', queries.length - empty.length, '>=', 30),
    ]);
  });
});
