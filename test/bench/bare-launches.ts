import { KubeConfig } from '@kubernetes/client-node';
import type { RequestOptions } from 'node:https';
import { Agent, request } from 'undici';

type Labels = Readonly<Record<string, string>>;

/** A Job as the API server shows it: the parts that are looked at here. */
export interface ShownJob {
  readonly metadata: { readonly labels: Labels; readonly annotations: Labels };
  readonly spec: { readonly selector?: unknown; readonly template: { readonly metadata: { readonly labels: Labels } } };
}

/** The least that a client can do: the same Job again and again under new names, over as many sockets as ours has. */
export class BareLaunches {
  private serial = 0;

  private constructor(
    private readonly url: string,
    private readonly agent: Agent,
    private readonly job: ShownJob,
  ) {}

  /** @param model a Job that the backend has made, as the API server shows it */
  static async of(kubeconfig: string, namespace: string, model: ShownJob): Promise<BareLaunches> {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    const { ca, cert, key } = options;
    const connect = { ca, cert, key } as NonNullable<Agent.Options['connect']>;
    const server = config.getCurrentCluster()?.server ?? '';
    const url = `${server}/apis/batch/v1/namespaces/${namespace}/jobs`;
    return new BareLaunches(url, new Agent({ connect, connections: 32 }), asNew(model));
  }

  async launch(): Promise<void> {
    this.serial += 1;
    const { metadata, spec } = this.job;
    const name = `bare-${String(this.serial)}`;
    const body = JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata: { ...metadata, name }, spec });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await request(this.url, { method: 'POST', dispatcher: this.agent, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`${name}: ${String(answer.statusCode)} ${text}`);
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}

/** The label that separates bare Jobs from ours. */
const bareLabel = { 'phenix-fleet.io/installation': 'bare' };

const ownLabels = (labels: Labels): Labels =>
  Object.fromEntries(
    Object.entries(labels).filter(([key]) => !/^(batch\.kubernetes\.io\/|controller-uid|job-name)/.test(key)),
  );

/** What the backend had sent: without what the API server has filled in. */
const asNew = ({ metadata: { labels, annotations }, spec }: ShownJob): ShownJob => {
  const { template } = spec;
  const podLabels = { ...ownLabels(template.metadata.labels), ...bareLabel };
  return {
    metadata: { annotations, labels: { ...ownLabels(labels), ...bareLabel } },
    spec: { ...spec, selector: undefined, template: { ...template, metadata: { labels: podLabels } } },
  };
};
