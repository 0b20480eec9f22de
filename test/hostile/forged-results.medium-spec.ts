import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claimRun, foldersOf, readSpec, type ResultRecord } from '@fleet/attempt-runner';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import type { RunState } from '@fleet/ports';
import { anEnding, eventually } from '@fleet/testing';
import { ClusterRuns } from '../kubernetes/cluster-runs';

/** In a pod a program shares its user with its supervisor. Its own records of its end are ignored. */

let runs: ClusterRuns;
beforeEach(async () => {
  runs = await ClusterRuns.start();
});
afterEach(() => runs.dispose());

/** The pod of a run whose supervisor has claimed it with a key, as one of this release does. */
const started = async (): Promise<{ spec: RunSpec; backend: ReturnType<ClusterRuns['aBackend']> }> => {
  const spec = runs.aSpec();
  const backend = runs.aBackend();
  await backend.ensure(spec);
  const { running } = foldersOf(spec);
  const startedAt = new Date().toISOString();
  const claim = { name: spec.name, specHash: readSpec(running)?.hash ?? '', startedAt, key: 'a key' };
  expect(claimRun(running, claim)).toBeDefined();
  runs.cluster.runPod(runs.jobOf(spec));
  expect(await seen(() => backend.ensure(spec), 'running')).toMatchObject({ state: 'running' });
  return { spec, backend };
};

const seen = (look: () => Promise<RunState>, state: RunState['state']): Promise<RunState> =>
  eventually(`a run that is ${state}`, async () => {
    const found = await look();
    return found.state === state && found;
  });

const forge = (spec: RunSpec, ending: ResultRecord['ending'], folder = foldersOf(spec).running): void => {
  const result = { schemaVersion: 1, name: spec.name, startedAt: new Date().toISOString(), ending };
  writeFileSync(join(folder, attemptFiles.result), JSON.stringify(result));
};

it('a forged success is ignored while the pod runs, and after it was killed', async () => {
  const { spec, backend } = await started();
  forge(spec, anEnding({ message: 'forged' }));
  expect(await backend.ensure(spec)).toMatchObject({ state: 'running' });
  expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'running' });
  runs.cluster.finish(runs.jobOf(spec), 137);
  const ended = await seen(() => backend.ensure(spec), 'ended');
  expect(ended).toMatchObject({ state: 'ended', ending: { infrastructure: true } });
  expect(JSON.stringify(ended)).not.toContain('forged');
});

it('a folder that the program published itself is ignored', async () => {
  const { spec, backend } = await started();
  forge(spec, anEnding({ message: 'forged' }));
  const { running, published } = foldersOf(spec);
  renameSync(running, published);
  runs.cluster.finish(runs.jobOf(spec), 85);
  const ended = await seen(() => backend.ensure(spec), 'ended');
  expect(JSON.stringify(ended)).not.toContain('forged');
});

it('a forged failure counts when the pod has ended, not before', async () => {
  const { spec, backend } = await started();
  forge(spec, anEnding({ kind: 'lost', infrastructure: true, message: 'made up' }));
  expect(await backend.ensure(spec)).toMatchObject({ state: 'running' });
  runs.cluster.finish(runs.jobOf(spec), 85);
  expect(await seen(() => backend.ensure(spec), 'ended')).toMatchObject({ ending: { kind: 'lost' } });
});

it('pipes and links that replace records block no executor', async () => {
  const { spec, backend } = await started();
  const { running } = foldersOf(spec);
  execFileSync('mkfifo', [join(running, attemptFiles.result)]);
  expect(await backend.ensure(spec)).toMatchObject({ state: 'running' });
  symlinkSync('/dev/zero', join(running, attemptFiles.result));
  expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'running' });
});

it('a link named like the next attempt leads no executor into the folder of another session', async () => {
  const spec = runs.aSpec();
  const victim = join(runs.root, 'victim');
  mkdirSync(victim);
  const { running } = foldersOf(spec);
  mkdirSync(dirname(running), { recursive: true });
  symlinkSync(victim, running);
  await runs.aBackend().ensure(spec);
  expect(execFileSync('ls', ['-A', victim]).toString()).toBe('');
  expect(readSpec(running)?.spec.name).toBe(spec.name);
});
