import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isConfigError, KubernetesConfig, StorageConfig } from '@fleet/config';
import type { RuleBook } from '@fleet/knowledge-model';
import { systemClock, unmeasured } from '@fleet/ports';
import { useFolder } from '@fleet/testing';
import type { ExecutionSite } from '../../apps/executor-worker/src/execution-site';
import { makeKubernetesSite } from '../../apps/executor-worker/src/kubernetes-backend.factory';

const folder = useFolder('file');

const make = (text?: string): ExecutionSite => {
  const file = join(folder, 'kubernetes.yaml');
  if (text !== undefined) writeFileSync(file, text);
  const config = Object.assign(new KubernetesConfig(), text === undefined ? {} : { file });
  const storage = Object.assign(new StorageConfig(), { workRoot: folder, dataRoots: [] });
  const rules = { programs: {} } as unknown as RuleBook;
  return makeKubernetesSite(config, storage, rules, {
    clock: systemClock,
    metrics: unmeasured,
    onWarning: () => undefined,
    database: { url: 'postgres://db/fleet' },
    redis: { url: 'redis://127.0.0.1:6379' },
  });
};

const refusal = (text?: string): string => {
  try {
    make(text);
  } catch (error) {
    if (isConfigError(error)) return error.message;
    throw error;
  }
  return '';
};

const settings = `
namespace: fleet-jobs
installation: fleet
sources: [{ name: open-phenix, image: "localhost/open-phenix:1", runner: baked, openPhenixDir: /opt/open-phenix }]
runnerImage: localhost/runner:1
volumes: { work: { mountPath: /work, claim: work } }
memoryClassesMiB: [1024, 4096]
classes:
  cpu: { maxRunning: 7 }
  gpu: { resources: { "nvidia.com/gpu": "1" } }
limits: { maxRunning: 9, maxRunningPerProposal: 2 }
identity: { fleetGid: 10000, default: { uid: 10001, gid: 10001 } }
api: { relistSeconds: 12 }
`;

describe('a cluster as the place of execution', () => {
  it('has the limits, memory classes and kinds of nodes of its settings file', async () => {
    const { backend, launches, resources, relistMs } = make(settings);
    expect(backend.name).toBe('kubernetes');
    expect(launches).toMatchObject({ maxRunning: 9, maxRunningPerProposal: 2 });
    expect(launches.classes).toEqual({ cpu: 7, gpu: 0 });
    expect(resources).toEqual({ memory: { classesMiB: [1024, 4096] }, gpus: true });
    expect(relistMs).toBe(12_000);
    await backend.close();
  });

  it('is refused as configuration: without a file, and with every mistake in it', () => {
    expect(refusal()).toContain('FLEET_KUBERNETES_FILE: is missing, and FLEET_BACKEND=kubernetes needs it');
    expect(refusal('nonsense: 1\n')).toMatch(/FLEET_KUBERNETES_FILE: .*nonsense.* is not known/);
    expect(refusal(settings.replace('[1024, 4096]', '[4096, 1024]'))).toContain('memoryClassesMiB must rise');
  });
});
