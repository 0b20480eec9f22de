import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFault } from '@fleet/contracts/faults';
import type { KubernetesSettings } from '@fleet/kubernetes-backend';
import { eventually } from '@fleet/testing';
import { ClusterRuns } from './cluster-runs';

const sources: KubernetesSettings['sources'] = [
  { name: 'licensed', image: 'phenix:2', runner: 'copied', phenixDir: '/opt/phenix' },
  { name: 'open', image: 'open-phenix:1', runner: 'baked', openPhenixDir: '/opt/open-phenix' },
];

const programOf = (program: string, version: string) => ({
  program,
  provider: 'phenix',
  version,
  command: [`/opt/${program}`],
});

describe('probing the programs of the cluster', () => {
  let runs: ClusterRuns;
  beforeEach(async () => {
    runs = await ClusterRuns.start();
  });
  afterEach(() => runs.dispose());

  /** Plays the pods of probes: what each image has, an exit code, or nothing at all. */
  const play = (has: Readonly<Record<string, readonly string[] | number | 'never'>>): void => {
    runs.cluster.objects.onEvent(({ kind, type, object }) => {
      if (kind !== 'jobs' || type !== 'ADDED') return;
      const { template } = object.spec as { template: { spec: { containers: [{ image: string; args: string[] }] } } };
      const [{ image, args }] = template.spec.containers;
      const answer = has[image] ?? 1;
      if (answer === 'never') return;
      setImmediate(() => {
        if (typeof answer === 'number') {
          runs.cluster.addPod(object.metadata.name, { phase: 'Running' });
          runs.cluster.finish(object.metadata.name, answer);
          return;
        }
        const programs = answer.map((program) => programOf(program, image));
        const record = { schemaVersion: 1, probedAt: new Date().toISOString(), programs, warnings: [] };
        writeFileSync(args[args.indexOf('--out') + 1]!, JSON.stringify(record));
        runs.cluster.finish(object.metadata.name);
      });
    });
  };

  it('uses the first source that has a program', async () => {
    play({ 'phenix:2': ['phenix.refine'], 'open-phenix:1': ['phenix.refine', 'phenix.xtriage'] });
    const programs = await runs.aBackend({ sources }).probe();
    expect(programs.map(({ program, version, source }) => [program, version, source])).toEqual([
      ['phenix.refine', 'phenix:2', 'licensed'],
      ['phenix.xtriage', 'open-phenix:1', 'open'],
    ]);
  });

  it('probes once a day for all executors', async () => {
    play({ 'phenix:2': ['phenix.refine'], 'open-phenix:1': [] });
    const made: string[] = [];
    runs.cluster.objects.onEvent(({ kind, type, object }) => {
      if (kind === 'jobs' && type === 'ADDED') made.push(object.metadata.name);
    });
    // The records of a Job that has just ended are waited for; they are not asked for again.
    const patient = { pace: { recordMs: 120_000 } };
    await Promise.all([runs.aBackend({ sources }, patient).probe(), runs.aBackend({ sources }, patient).probe()]);
    await runs.aBackend({ sources }, patient).probe();
    // Two executors may try to make one Job at the same moment; one of them is answered that it is there.
    expect(made).toHaveLength(2);
    expect(new Set(made).size).toBe(2);
  });

  it.each([
    ['was cut short by a power cut', (text: string) => text.slice(0, text.length / 2)],
    ['is empty', () => ''],
    ['says that it is of the next year', (text: string) => text.replace(/"probedAt":"\d+/, '"probedAt":"2099')],
  ])('probes again if the result %s', async (_, change) => {
    play({ 'phenix:2': ['phenix.refine'], 'open-phenix:1': [] });
    await runs.aBackend({ sources }).probe();
    const folder = join(runs.root, '.fleet', 'programs');
    for (const name of readdirSync(folder)) {
      writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')));
    }
    const programs = await runs.aBackend({ sources }).probe();
    expect(programs.map(({ program }) => program)).toEqual(['phenix.refine']);
    const thisYear = (name: string): boolean =>
      readFileSync(join(folder, name), 'utf8').includes(`"probedAt":"${String(new Date().getFullYear())}`);
    await eventually('the new answers', () => readdirSync(folder).every(thisYear));
    expect(runs.cluster.count('POST jobs')).toBe(4);
  });

  it('skips an unreachable source, and reports it', async () => {
    play({ 'phenix:2': 1, 'open-phenix:1': ['phenix.xtriage'] });
    const programs = await runs.aBackend({ sources }).probe();
    expect(programs.map(({ program }) => program)).toEqual(['phenix.xtriage']);
    expect(runs.warnings.join('\n')).toMatch(/source licensed: .*could not be listed/);
  });

  it('uses the last result of a source that has become unreachable', async () => {
    play({ 'phenix:2': ['phenix.refine'], 'open-phenix:1': [] });
    await runs.aBackend({ sources }).probe();
    makeOld();
    runs.cluster.trouble = ({ method }) => (method === 'POST' ? { status: 422 } : undefined);
    const programs = await runs.aBackend({ sources }).probe();
    expect(programs.map(({ program }) => program)).toEqual(['phenix.refine']);
    await eventually('the warning', () => runs.warnings.length >= 2);
    expect(runs.warnings.join('\n')).toContain('The list of 2026-01-01');
  });

  it('does not wait for a source whose image is not available', async () => {
    play({ 'open-phenix:1': ['phenix.xtriage'], 'phenix:2': 'never' });
    const programs = await runs.aBackend({ sources }, { pace: { laggardsMs: 0 } }).probe();
    expect(programs.map(({ program }) => program)).toEqual(['phenix.xtriage']);
  });

  it('reports a temporary fault if no source is reachable', async () => {
    play({});
    const error: unknown = await runs
      .aBackend({ sources })
      .probe()
      .catch((reason: unknown) => reason);
    expect(isFault(error) && [error.code, error.kind]).toEqual(['programs.probe_failed', 'transient']);
  });

  /** The records are of another year, and the Jobs that wrote them are gone. */
  const makeOld = (): void => {
    const folder = join(runs.root, '.fleet', 'programs');
    for (const name of readdirSync(folder)) {
      const programs = name === '' ? [] : [programOf('phenix.refine', 'old')];
      const record = { schemaVersion: 1, probedAt: '2026-01-01T00:00:00.000Z', programs, warnings: [] };
      writeFileSync(join(folder, name), JSON.stringify(record));
    }
    for (const { metadata } of runs.cluster.objects.list('jobs', ''))
      runs.cluster.objects.remove('jobs', metadata.name);
  };
});
