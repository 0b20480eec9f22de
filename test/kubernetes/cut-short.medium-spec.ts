import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersOf } from '@fleet/attempt-runner';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import type { RunState } from '@fleet/ports';
import { eventually } from '@fleet/testing';
import { ClusterRuns } from './cluster-runs';

const cuts: readonly (readonly [string, (text: string) => string])[] = [
  ['empty', () => ''],
  ['cut in the middle', (text) => text.slice(0, text.length / 2)],
];

describe.each(cuts)('after a power cut that left a file %s', (_, change) => {
  let runs: ClusterRuns;
  let spec: RunSpec;
  beforeEach(async () => {
    runs = await ClusterRuns.start();
    spec = runs.aSpec();
  });
  afterEach(() => runs.dispose());

  const cut = (file: string, folder = foldersOf(spec).running): void => {
    const path = join(folder, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  };
  /** As a new executor sees it, again and again, until it is not under way any more. */
  const settled = (): Promise<RunState> => {
    const backend = runs.aBackend();
    return runs.ended(() => backend.ensure(spec));
  };

  it('the run description is rewritten for a pod that has not started', async () => {
    await runs.aBackend().ensure(spec);
    cut(attemptFiles.spec);
    runs.cluster.objects.remove('jobs', runs.jobOf(spec));
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'waiting' });
    expect(JSON.parse(readFileSync(join(foldersOf(spec).running, attemptFiles.spec), 'utf8'))).toMatchObject({
      spec: { argv: spec.argv },
    });
  });

  it('the loss of the run description does not affect a running pod', async () => {
    await runs.aBackend().ensure(spec);
    runs.start(spec);
    cut(attemptFiles.spec);
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'running' });
    runs.publish(spec);
    expect(await settled()).toMatchObject({ state: 'ended', ending: { kind: 'exited', exitCode: 0 } });
  });

  it('the Job is still known, and none is created again', async () => {
    await runs.aBackend().ensure(spec);
    cut(attemptFiles.handedOver);
    runs.cluster.objects.remove('jobs', runs.jobOf(spec));
    expect(await settled()).toMatchObject({ state: 'ended', ending: { kind: 'job_deleted' } });
    expect(runs.cluster.count('POST jobs')).toBe(1);
  });

  it('a claim stays valid: nothing is restarted, and the run ends with its Job', async () => {
    await runs.aBackend().ensure(spec);
    runs.start(spec);
    cut(attemptFiles.run);
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'running' });
    runs.cluster.finish(runs.jobOf(spec), 137);
    expect(await settled()).toMatchObject({ state: 'ended', ending: { kind: 'signalled', infrastructure: true } });
    expect(runs.cluster.count('POST jobs')).toBe(1);
  });

  it('the run ends as lost, once', async () => {
    await runs.aBackend().ensure(spec);
    runs.start(spec);
    for (const file of [attemptFiles.spec, attemptFiles.run, attemptFiles.handedOver]) cut(file);
    runs.cluster.finish(runs.jobOf(spec), 1);
    const first = await settled();
    expect(first).toMatchObject({ state: 'ended', ending: { kind: 'lost', infrastructure: true } });
    expect(await settled()).toEqual(first);
    expect(existsSync(foldersOf(spec).running)).toBe(false);
  });

  it('a published result is lost, which is reported once', async () => {
    await runs.aBackend().ensure(spec);
    runs.start(spec);
    runs.publish(spec);
    cut(attemptFiles.result, foldersOf(spec).published);
    const first = await settled();
    expect(first).toMatchObject({ state: 'ended', ending: { kind: 'lost', infrastructure: true } });
    expect(await settled()).toEqual(first);
  });

  it('a request to cancel stays', async () => {
    await runs.aBackend().ensure(spec);
    runs.start(spec);
    writeFileSync(join(foldersOf(spec).running, attemptFiles.cancel), change('{"at":""}'));
    const cancelled = runs.aBackend().cancel(spec);
    await eventually('the deletion', () => runs.isDeleted(spec));
    runs.cluster.finish(runs.jobOf(spec));
    runs.cluster.objects.remove('jobs', runs.jobOf(spec));
    await cancelled;
    expect(await settled()).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
  });
});
