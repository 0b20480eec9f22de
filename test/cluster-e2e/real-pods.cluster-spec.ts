import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import type { KubernetesBackend } from '@fleet/kubernetes-backend';
import { cluster, ClusterGround, loadImages } from './cluster-ground';
import { jobOf, nextStep, proposalUid, RealRuns, type SpecChange } from './real-runs';

/** Takes what memory there is, 10 MiB at a time. */
const balloon = `echo ready; exec /opt/phenix-fleet/node -e 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))'`;
const long = 'echo ready; exec sleep 600';

/**
 * Each ending on a real kubelet: the sentence that the user reads, its kind, and what the executor does next.
 * @needs cluster-parts: the kubelet is killed, the node cordoned, images loaded. @needs buildah: the runner's image.
 */
describe('a program in a real pod', () => {
  let ground: ClusterGround;
  let runs: RealRuns;
  let backend: KubernetesBackend;

  beforeAll(async () => {
    await loadImages(['runner']);
    ground = await ClusterGround.start('real-pods');
    runs = new RealRuns(ground);
    backend = runs.aBackend();
  });
  afterAll(async () => {
    await runs.end();
    await ground.end();
  });

  const endOfScript = (script: string, change: SpecChange = {}): Promise<AttemptEnding> =>
    runs.endOf(backend, runs.aSpec(script, change));

  /** A run that is at work, and what happened to it after `act`. */
  const endAfter = async (
    act: (spec: RunSpec) => Promise<unknown>,
    spec = runs.aSpec(long),
  ): Promise<AttemptEnding> => {
    await runs.started(backend, spec);
    await act(spec);
    return runs.endOf(backend, spec);
  };

  const podOf = async (spec: RunSpec): Promise<string> => (await ground.podOf(jobOf(spec))).metadata.name;

  it('runs as the user of its proposal, on a root that cannot be written to, without a token of the cluster', async () => {
    const spec = runs.aSpec(
      'id -u; id -G; touch /etc/x; touch "$PWD/made"; touch /tmp/x && echo tmp; ls /var/run/secrets; ls -d /opt/phenix-fleet',
    );
    const ending = await runs.endOf(backend, spec);
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    const log = runs.logOf(spec);
    expect(log).toMatch(new RegExp(`^${String(proposalUid)}$`, 'm'));
    expect(log).toMatch(/\b10000\b/);
    expect(log).toContain('Read-only file system');
    expect(log).toMatch(/^tmp$/m);
    expect(log).toMatch(/secrets.*No such file/);
    const made = statSync(join(spec.sessionFolder, spec.attemptFolder, 'made'));
    expect([made.uid, made.gid]).toEqual([proposalUid, 10_000]);
    const pod = await ground.podOf(jobOf(spec));
    expect(pod.spec.automountServiceAccountToken).toBe(false);
  });

  it('sees its own session alone', async () => {
    const other = runs.aSpec('true');
    const spec = runs.aSpec(`ls ${other.sessionFolder}; ls ${ground.work}/mx1`);
    await runs.endOf(backend, spec);
    expect(runs.logOf(spec)).toMatch(new RegExp(`${other.owner.sessionId}.*No such file`));
  });

  it('ends with an exit code: analysis judges it', async () => {
    const ending = await endOfScript('echo no; exit 3');
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 3, infrastructure: false });
    expect(ending.message).toBe('phenix.refine ended with exit code 3.');
    expect(nextStep(ending)).toEqual({ then: 'analyse' });
  });

  it('crashes by a signal of its own: analysis judges it', async () => {
    const ending = await endOfScript('kill -SEGV $$');
    expect(ending).toMatchObject({ kind: 'signalled', signal: 'SIGSEGV', infrastructure: false });
    expect(ending.message).toContain('crashed');
    expect(nextStep(ending)).toEqual({ then: 'analyse' });
  });

  it('needs more memory than it may take: once more with the next class', async () => {
    const ending = await endOfScript(balloon);
    expect(ending).toMatchObject({ kind: 'memory_limit', infrastructure: false });
    expect(ending.message).toMatch(/needed more memory|used more memory/);
    expect(nextStep(ending)).toMatchObject({ then: 'again', nextAction: 'It runs again with 128 MiB of memory.' });
  });

  it('takes its whole container down for want of memory: the same', async () => {
    const ending = await endOfScript(`echo 1000 > /proc/1/oom_score_adj; ${balloon}`, { limits: { memoryMiB: 64 } });
    expect(ending).toMatchObject({ kind: 'memory_limit', infrastructure: false });
    expect(nextStep(ending)).toMatchObject({ then: 'again', nextAction: 'It runs again with 128 MiB of memory.' });
  });

  it('runs longer than its limit: analysis judges it, and the user is told to ask for more', async () => {
    const ending = await endOfScript(long, { limits: { wallClock: 2 } });
    expect(ending).toMatchObject({ kind: 'wall_clock_limit', infrastructure: false });
    expect(ending.message).toBe('phenix.refine was ended: it ran longer than its limit of 2 s.');
    expect(ending.nextAction).toContain('ask for a longer limit');
    expect(nextStep(ending)).toEqual({ then: 'analyse' });
  });

  it('meets the deadline of its pod, should its own clock fail', async () => {
    const ending = await endAfter(async (spec) =>
      ground.kubectl('patch', 'pod', await podOf(spec), '--patch', '{"spec":{"activeDeadlineSeconds":1}}'),
    );
    expect(ending).toMatchObject({ kind: 'wall_clock_limit', infrastructure: false });
    expect(nextStep(ending)).toEqual({ then: 'analyse' });
  });

  it('is evicted: once more elsewhere, and no loss', async () => {
    const ending = await endAfter(async (spec) => ground.evict(await podOf(spec)));
    expect(ending).toMatchObject({ kind: 'disrupted', infrastructure: true });
    expect(ending.message).toBe('phenix.refine was ended because its node is being drained.');
    expect(nextStep(ending)).toMatchObject({ then: 'again', pause: false });
  });

  it('is on a node that is drained: once more elsewhere', async () => {
    const ending = await endAfter(async (spec) => {
      const { spec: placed, metadata } = await ground.podOf(jobOf(spec));
      const node = placed.nodeName ?? '';
      const pod = `--pod-selector=batch.kubernetes.io/job-name=${metadata.labels?.['batch.kubernetes.io/job-name'] ?? ''}`;
      try {
        await ground.kubectl('drain', node, pod, '--delete-emptydir-data', '--timeout=60s');
      } finally {
        await ground.kubectl('uncordon', node);
      }
    });
    expect(ending).toMatchObject({ kind: 'disrupted', infrastructure: true });
    expect(nextStep(ending)).toMatchObject({ then: 'again', pause: false });
  });

  it('has an image that cannot be pulled: the administrator is asked, its Job is gone', async () => {
    const impatient = runs.aBackend({
      imagePullLimitSeconds: 3,
      sources: [{ name: 'shell', image: 'localhost/phenix-fleet/none:1', runner: 'baked', openPhenixDir: '/opt' }],
    });
    const spec = runs.aSpec(long);
    const ending = await runs.endOf(impatient, spec);
    expect(ending).toMatchObject({ kind: 'image_unavailable', infrastructure: true });
    expect(ending.message).toContain('localhost/phenix-fleet/none:1');
    expect(ending.nextAction).toContain('Ask the administrator to check the name of the image');
    expect(nextStep(ending)).toMatchObject({ then: 'again' });
    await gone(spec);
  });

  /** Neither Job nor pod is left. */
  const gone = (spec: RunSpec): Promise<true> =>
    ground.until(`the Job of ${spec.name} is gone`, async () => {
      const jobs = await ground.get('jobs');
      const pods = await ground.podsOf(jobOf(spec));
      return jobs.every(({ metadata }) => metadata.name !== jobOf(spec)) && pods.length === 0 ? true : undefined;
    });

  it('fits no node: the administrator is asked', async () => {
    const picky = runs.aBackend({
      pendingLimitSeconds: 3,
      classes: { cpu: { nodeSelector: { disk: 'none-such' }, tolerations: [], resources: {}, maxRunning: 0 } },
    });
    const ending = await runs.endOf(picky, runs.aSpec(long));
    expect(ending).toMatchObject({ kind: 'unschedulable', infrastructure: true });
    expect(ending.message).toMatch(/No node of the cluster took phenix\.refine.*node affinity/);
    expect(nextStep(ending)).toMatchObject({ then: 'again' });
  });

  it('waits for a GPU that does not come free: once more on a CPU', async () => {
    const spec = runs.aSpec(long, { resources: { class: 'gpu', cpus: 0.01, mayFallBack: true } });
    const first = await backend.ensure(spec);
    expect(first.state).toBe('waiting');
    const ending = await runs.endOf(backend, spec);
    expect(ending).toMatchObject({ kind: 'gpu_unavailable', infrastructure: true });
    expect(nextStep(ending)).toEqual({ then: 'again', pause: false, nextAction: 'It runs again on a CPU.' });
    await gone(spec);
  });

  it('loses its Job to somebody: once more', async () => {
    const ending = await endAfter((spec) => ground.kubectl('delete', 'job', jobOf(spec)));
    expect(ending).toMatchObject({ kind: 'job_deleted', infrastructure: true });
    expect(ending.message).toBe('phenix.refine was ended because its Job was deleted from the cluster.');
    expect(nextStep(ending)).toMatchObject({ then: 'again' });
  });

  it('has ended, and its Job is deleted before anybody looked: its result counts', async () => {
    const spec = runs.aSpec('echo ready; sleep 1; echo done; exit 4');
    await runs.started(backend, spec);
    await ground.until('its result is there', () => Promise.resolve(published(spec) || undefined));
    await ground.kubectl('delete', 'job', jobOf(spec));
    const ending = await runs.endOf(runs.aBackend(), spec);
    expect(ending).toMatchObject({ kind: 'exited', exitCode: 4, infrastructure: false });
  });

  const published = (spec: RunSpec): boolean =>
    existsSync(join(spec.sessionFolder, spec.attemptFolder, attemptFiles.result));

  it('is killed from outside with its whole container: once more', async () => {
    const ending = await endAfter((spec) => {
      for (const pid of processesOf(spec)) killed(pid);
      return Promise.resolve();
    });
    expect(ending).toMatchObject({ kind: 'signalled', signal: 'SIGKILL', infrastructure: true });
    expect(ending.message).toContain('killed from outside');
    expect(nextStep(ending)).toMatchObject({ then: 'again' });
  });

  /** The first one takes the others with it. */
  const killed = (pid: number): void => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };

  /** On this machine's own table: the node's containers are processes of it. */
  const processesOf = ({ name }: RunSpec): readonly number[] =>
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry) && environmentOf(entry).includes(`FLEET_ATTEMPT=${name}\0`))
      .map(Number);

  const environmentOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8');
    } catch (error) {
      if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return ''; // it has just ended
      throw error;
    }
  };

  it('continues while the kubelet is dead, and its result is adopted', async () => {
    const spec = runs.aSpec('echo ready; sleep 5; echo done');
    await runs.started(backend, spec);
    await cluster('stop', 'kubelet');
    try {
      const ending = await runs.endOf(backend, spec);
      expect(ending).toMatchObject({ kind: 'exited', exitCode: 0, infrastructure: false });
      expect(runs.logOf(spec)).toContain('done');
    } finally {
      await cluster('start', 'kubelet');
    }
    await ground.until('the cluster has seen it too', async () => {
      const [pod] = await ground.podsOf(jobOf(spec));
      return pod?.status?.phase === 'Succeeded' ? true : undefined;
    });
  });

  it('continues after the kubelet was killed and is back, in the same pod', async () => {
    const spec = runs.aSpec('echo ready; sleep 15; echo done');
    await runs.started(backend, spec);
    const before = await ground.podOf(jobOf(spec));
    await cluster('stop', 'kubelet');
    await cluster('start', 'kubelet');
    expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect((await ground.podsOf(jobOf(spec))).map(({ metadata }) => metadata.uid)).toEqual([before.metadata.uid]);
    expect(runs.logOf(spec).match(/ready/g)).toHaveLength(1);
  });

  it('is cancelled, five of them at once: no pod is left, though the programs ignore SIGTERM', async () => {
    const specs = Array.from({ length: 5 }, () => runs.aSpec('trap "" TERM; echo ready; sleep 600 & wait; sleep 600'));
    await Promise.all(specs.map((spec) => runs.started(backend, spec)));
    await Promise.all(
      specs.map(async (spec) => {
        await backend.cancel(spec);
        const pods = (await ground.podsOf(jobOf(spec))).filter(({ status }) => status?.phase === 'Running');
        expect(pods).toEqual([]);
        expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'cancelled' });
      }),
    );
  });
});
