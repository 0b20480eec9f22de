import { CoreV1Api, PatchStrategy, setHeaderOptions, type KubeConfig, type V1Node } from '@kubernetes/client-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { asBody } from './api-objects';
import { isApiTrouble, statusOf } from './api-trouble';

const managedByKwok = 'kwok.x-k8s.io/node';
const label = 'fleet-chaos';
const readyTimeoutMs = 60_000;
const mergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
const strategicPatch = setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch);

/** Does it again and again while the API server is in trouble. */
const insist = async (work: () => Promise<unknown>): Promise<void> => {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isApiTrouble(error) || statusOf(error) === 404) throw error;
      await sleep(250);
    }
  }
};

/** kwok's nodes of one suite: only its own Jobs run there. */
export class ChaosNodes {
  readonly names: readonly string[];
  /** What a Job of the suite needs in order to get there, as a class of nodes in the settings file. */
  readonly asClass: object;
  private readonly core: CoreV1Api;

  constructor(
    config: KubeConfig,
    private readonly owner: string,
    count: number,
  ) {
    this.core = config.makeApiClient(CoreV1Api);
    this.names = Array.from({ length: count }, (_, index) => `${owner}-${String(index + 1)}`);
    // A cluster gives a silent node five minutes; a suite has less time.
    const soon = ['not-ready', 'unreachable'].map((state) => ({
      key: `node.kubernetes.io/${state}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 2,
    }));
    this.asClass = {
      nodeSelector: { [label]: owner },
      tolerations: [{ key: managedByKwok, operator: 'Exists' }, ...soon],
    };
  }

  /** Makes those that are not there. */
  async make(): Promise<void> {
    for (const name of this.names) {
      await insist(async () => {
        try {
          await this.core.createNode({ body: this.node(name) });
        } catch (error) {
          if (statusOf(error) !== 409) throw error;
        }
      });
    }
  }

  /** Resolves when all of them take pods and keep them: the cluster believes a new node a few seconds late. */
  async untilReady(): Promise<void> {
    const until = performance.now() + readyTimeoutMs;
    for (;;) {
      const { items } = await this.core.listNode({ labelSelector: `${label}=${this.owner}` });
      const taints = items.flatMap(({ spec }) => spec?.taints ?? []).filter(({ key }) => key !== managedByKwok);
      if (items.length === this.names.length && taints.length === 0) return;
      if (performance.now() > until) throw new Error(`the fake nodes do not get ready: ${JSON.stringify(taints)}`);
      await sleep(250);
    }
  }

  /** Nothing is heard of the node any more; its object stays. */
  async silence(name: string): Promise<void> {
    await insist(() =>
      this.core.patchNode({ name, body: { metadata: { annotations: { [managedByKwok]: null } } } }, mergePatch),
    );
    // kwok may have one more word on its way.
    for (let again = 0; again < 3; again += 1) {
      const now = new Date().toISOString();
      const ready = { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'made silent by a test' };
      const conditions = [{ ...ready, lastHeartbeatTime: now, lastTransitionTime: now }];
      await insist(() => this.core.patchNodeStatus({ name, body: { status: { conditions } } }, strategicPatch));
      await sleep(200);
    }
  }

  /** A silent node answers again. */
  async wake(name: string): Promise<void> {
    const body = { metadata: { annotations: { [managedByKwok]: 'fake' } } };
    await insist(() => this.core.patchNode({ name, body }, mergePatch));
  }

  /** The node is taken out of the cluster. */
  async remove(name: string): Promise<void> {
    await insist(() => this.core.deleteNode({ name }));
  }

  async removeAll(): Promise<void> {
    await insist(() => this.core.deleteCollectionNode({ labelSelector: `${label}=${this.owner}` }));
  }

  private node(name: string): V1Node {
    const resources = { cpu: '1000', memory: '10Ti', pods: '1000' };
    return asBody<V1Node>({
      metadata: {
        name,
        annotations: { [managedByKwok]: 'fake' },
        labels: { [label]: this.owner, 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' },
      },
      spec: { taints: [{ key: managedByKwok, value: 'fake', effect: 'NoSchedule' }] },
      status: { capacity: resources, allocatable: resources },
    });
  }
}
