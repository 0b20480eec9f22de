import { readFileSync } from 'node:fs';
import { KubeConfig } from '@kubernetes/client-node';
import { Agent, request } from 'undici';

export interface Access {
  readonly namespace: string;
  readonly group: string;
  /** `pods/log` names a subresource. */
  readonly resource: string;
  readonly verb: string;
}

/** Asks the API server, as the owner of a token, what that owner may do (SelfSubjectAccessReview). */
export class AccessReviews {
  private readonly server: string;
  private readonly dispatcher: Agent;

  /** @param kubeconfig path of the file that names the cluster; its user is not used */
  constructor(kubeconfig: string) {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const cluster = config.getCurrentCluster();
    if (cluster === null) throw new Error(`${kubeconfig} names no cluster`);
    const ca =
      cluster.caData === undefined ? readFileSync(cluster.caFile ?? '') : Buffer.from(cluster.caData, 'base64');
    this.server = cluster.server;
    this.dispatcher = new Agent({ connect: { ca }, connections: 4 });
  }

  async may(token: string, { namespace, group, resource, verb }: Access): Promise<boolean> {
    const [name, subresource] = resource.split('/');
    const { statusCode, body } = await request(`${this.server}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`, {
      method: 'POST',
      dispatcher: this.dispatcher,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { namespace, group, resource: name, subresource, verb } },
      }),
    });
    const answer = (await body.json()) as { readonly status?: { readonly allowed?: boolean } };
    if (statusCode !== 201) throw new Error(`The API server answers ${String(statusCode)}: ${JSON.stringify(answer)}`);
    return answer.status?.allowed === true;
  }

  close(): Promise<void> {
    return this.dispatcher.close();
  }
}
