import { isFault, type FieldProblem } from '@fleet/contracts/faults';
import { loadKubernetesSettings, parseKubernetesSettings } from './load-kubernetes-settings';

const least = `
namespace: fleet-jobs
installation: fleet
sources: [{ name: phenix, image: "registry/phenix:2.0" }]
runnerImage: "runner:1"
volumes: { work: { mountPath: /work, claim: work } }
classes: { cpu: {} }
identity: { fleetGid: 10000, default: { uid: 10001, gid: 10001 } }
`;

const problemsOf = (text: string): readonly FieldProblem[] => {
  try {
    parseKubernetesSettings(text, 'kubernetes.yaml');
  } catch (error) {
    if (isFault(error) && error.code === 'kubernetes.settings_invalid') return error.problems;
    throw error;
  }
  return [];
};

describe('the settings file of the Kubernetes backend', () => {
  it('applies defaults', () => {
    expect(parseKubernetesSettings(least, 'kubernetes.yaml')).toMatchObject({
      imagePullPolicy: 'IfNotPresent',
      sources: [{ runner: 'baked' }],
      volumes: { data: [], software: [] },
      classes: { cpu: { nodeSelector: {}, tolerations: [], resources: {}, maxRunning: 0 } },
      memoryClassesMiB: [2048, 4096, 8192, 16384, 32768],
      limits: { maxRunning: 0, maxRunningPerProposal: 0 },
      gpuWaitSeconds: 600,
      identity: { proposals: {}, ofFolder: '', default: { supplementalGroups: [] } },
      kueue: { queue: '', priorityClass: '', priorityClasses: {}, queues: {} },
      api: { requestsPerSecond: 10, burst: 25, relistSeconds: 30, watch: true },
      ttlSecondsAfterFinished: 86_400,
      resultGraceSeconds: 60,
    });
  });

  it.each([
    ['an unknown key', `${least}\napiserver: x`, 'apiserver', /not known/, /namespace/],
    [
      'an unknown key inside',
      least.replace('claim: work', 'claim: work, readonly: true'),
      'volumes.work.readonly',
      /not known/,
      /mountPath/,
    ],
    ['a key that is missing', least.replace(/runnerImage.*/, ''), 'runnerImage', /missing/, undefined],
    ['a volume from nowhere', least.replace(', claim: work', ''), 'volumes.work', /exactly one/, undefined],
    [
      'a volume from two places',
      least.replace('claim: work', 'claim: work, hostPath: /x'),
      'volumes.work',
      /exactly one/,
      undefined,
    ],
    ['root', least.replace('uid: 10001', 'uid: 0'), 'identity.default.uid', />= 1/, undefined],
    ['another word', `${least}\nimagePullPolicy: Sometimes`, 'imagePullPolicy', /another value/, /IfNotPresent/],
    [
      'two sources of one name',
      least.replace('}]', '}, { name: phenix, image: "b:1" }]'),
      'sources',
      /two sources named phenix/,
      undefined,
    ],
    ['memory that falls', `${least}\nmemoryClassesMiB: [4096, 2048]`, 'memoryClassesMiB', /rise/, undefined],
    ['a mount over the runner', least.replace('mountPath: /work', 'mountPath: /opt'), 'volumes', /\/opt/, undefined],
    ['no YAML', '{', 'kubernetes.yaml', /not YAML/, undefined],
    ['a list', '[]', 'the file', /object/, undefined],
    ['an empty file', '', 'kubernetes.yaml', /not YAML/, undefined],
  ])('rejects %s, and names it', (_what, text, field, reason, allowed) => {
    const problems = problemsOf(text);
    const problem = problems.find((candidate) => candidate.field === field);
    expect(problems.map((candidate) => candidate.field)).toContain(field);
    expect(problem?.reason).toMatch(reason);
    if (allowed !== undefined) expect(problem?.allowed).toMatch(allowed);
  });

  it('reports all problems at once', () => {
    const fields = problemsOf(`${least.replace('uid: 10001', 'uid: 0')}\nnothing: 1\ngpuWaitSeconds: soon`).map(
      ({ field }) => field,
    );
    expect(fields).toEqual(expect.arrayContaining(['identity.default.uid', 'nothing', 'gpuWaitSeconds']));
  });

  it('names an unreadable file', () => {
    expect(() => loadKubernetesSettings('/nowhere/kubernetes.yaml')).toThrow('/nowhere/kubernetes.yaml cannot be read');
  });
});
