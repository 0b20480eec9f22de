import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@fleet/contracts/administration';
import { ClusterGround, loadImages } from './cluster-ground';
import { RealRuns } from './real-runs';

const never = new AbortController().signal;

/** A NetworkPolicy as the chart makes it: pods of programs reach nothing. */
const denied = (namespace: string): object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'programs', namespace },
  spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
});

const levelsOf = (findings: readonly Finding[], check: string): readonly string[] =>
  findings.filter((one) => one.check === check).map(({ level }) => level);

/**
 * What the doctor finds on a real cluster: rights, nodes, and what pods see that are like those of programs.
 * @needs cluster-parts: images are loaded. @needs buildah: the runner's image.
 */
describe('the doctor on a real cluster', () => {
  let ground: ClusterGround;
  let runs: RealRuns;

  beforeAll(async () => {
    await loadImages(['runner']);
    ground = await ClusterGround.start('site-trial');
    runs = new RealRuns(ground);
    await ground.apply([denied(ground.namespace)]);
  });
  afterAll(async () => {
    await runs.end();
    await ground.end();
  });

  it('sees the API server, that an administrator has too many rights, and nodes', async () => {
    const findings = await runs.aBackend().site.look();
    expect(levelsOf(findings, 'cluster.version')).toEqual(['ok']);
    expect(levelsOf(findings, 'cluster.rights')).toEqual(['ok']);
    expect(findings.find(({ check }) => check === 'cluster.rights_beyond')).toMatchObject({
      level: 'warning',
      seen: expect.stringContaining('cluster-admin') as string,
    });
    expect(levelsOf(findings, 'cluster.nodes.cpu')).toEqual(['ok']);
    // The node has none, or a test has given it some.
    expect(levelsOf(findings, 'cluster.nodes.gpu')).toHaveLength(1);
  });

  it('tries pods like those of programs: users, the work volume, no GPU, and a NetworkPolicy that this cluster does not enforce', async () => {
    const backend = runs.aBackend(
      { classes: { ...runs.settingsNow().classes, gpu: nowhere } },
      { trialPatienceMs: 60_000 },
    );
    const findings = await backend.site.trial('e2e', never);
    expect(findings.filter(({ check }) => check === 'trial.cpu.start')).toMatchObject([
      { level: 'ok' },
      { level: 'ok' },
    ]);
    const cpu = ['user', 'work.write', 'work.hard_links', 'work.rename', 'work.shared', 'work.owner', 'data'];
    for (const check of cpu) expect([check, levelsOf(findings, `trial.cpu.${check}`)]).toEqual([check, ['ok', 'ok']]);
    expect(levelsOf(findings, 'trial.cpu.clock')).toEqual(['ok', 'ok']);
    expect(findings.find(({ check }) => check === 'trial.cpu.network.closed')).toMatchObject({
      level: 'warning',
      seen: expect.stringMatching(/It reaches the API server/) as string,
    });
    expect(findings.find(({ check }) => check === 'trial.gpu.start')).toMatchObject({
      level: 'error',
      seen: expect.stringContaining("didn't match Pod's node affinity/selector") as string,
    });
    expect(readdirSync(join(ground.work, '.fleet', 'trials'))).toEqual([]);
    await ground.until('the Jobs are gone', async () => (await ground.get('jobs')).length === 0 || undefined);
  });

  it('finds a work volume that is not there', async () => {
    const { volumes } = runs.settingsNow();
    const work = { mountPath: volumes.work.mountPath, claim: 'missing' };
    const backend = runs.aBackend({ volumes: { ...volumes, work } }, { trialPatienceMs: 20_000 });
    const findings = await backend.site.trial('missing', never);
    expect(findings.find(({ check }) => check === 'trial.cpu.start')).toMatchObject({
      level: 'error',
      seen: expect.stringContaining('"missing" not found') as string,
    });
    expect(existsSync(join(ground.work, '.fleet', 'trials', 'missing'))).toBe(false);
  });
});

const nowhere = { nodeSelector: { 'phenix-fleet.io/no-such': 'node' }, tolerations: [], resources: {}, maxRunning: 0 };
