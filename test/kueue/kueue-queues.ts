import type { ClusterGround } from '../cluster-e2e/cluster-ground';

/** What a queue may hold at once, by resource. */
export type Quota = Readonly<Record<string, string>>;

/** More than any test asks for. */
export const plenty = { cpu: '1000', memory: '1000Gi' } as const;

const version = 'kueue.x-k8s.io/v1beta1';

/** Queues and priorities of Kueue for the namespace of a ground; those of the whole cluster carry the namespace's name. */
export class KueueQueues {
  constructor(private readonly ground: ClusterGround) {}

  /**
   * A queue of that name in the namespace, with a quota of its own; it may take places back for work of higher priority.
   * `held`: it lets nothing go until `open`.
   */
  async add(name: string, quota: Quota, held = false): Promise<void> {
    const flavor = this.clusterWide('ResourceFlavor', 'any', { spec: {} });
    const resources = Object.entries(quota).map(([resource, nominalQuota]) => ({ name: resource, nominalQuota }));
    const queue = this.clusterWide('ClusterQueue', name, {
      spec: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.ground.namespace } },
        preemption: { withinClusterQueue: 'LowerPriority' },
        resourceGroups: [
          { coveredResources: Object.keys(quota), flavors: [{ name: flavor.metadata.name, resources }] },
        ],
        ...(held && { stopPolicy: 'Hold' }),
      },
    });
    const local = {
      apiVersion: version,
      kind: 'LocalQueue',
      metadata: { name, namespace: this.ground.namespace },
      spec: { clusterQueue: queue.metadata.name },
    };
    await this.ground.apply([flavor, queue, local]);
  }

  async open(name: string): Promise<void> {
    const patch = JSON.stringify({ spec: { stopPolicy: 'None' } });
    await this.ground.kubectl('patch', 'clusterqueue', this.nameOf(name), '--type=merge', `--patch=${patch}`);
  }

  /** Makes a priority; the name that the settings give. */
  async addPriority(name: string, value: number): Promise<string> {
    const priority = this.clusterWide('WorkloadPriorityClass', name, { value });
    await this.ground.apply([priority]);
    return priority.metadata.name;
  }

  private nameOf(name: string): string {
    return `${this.ground.namespace}-${name}`;
  }

  private clusterWide<T extends object>(kind: string, name: string, content: T) {
    return { apiVersion: version, kind, metadata: { name: this.nameOf(name) }, ...content };
  }
}
