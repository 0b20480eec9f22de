import type { ApiCaller } from '../api/api-call';
import { objectIn, wordIn } from '../api/json';
import { listAll } from '../api/list-pages';

/** A permission of an account. */
export interface Right {
  readonly verb: string;
  /** Empty: the core group. */
  readonly group: string;
  /** `pods/log` names a subresource. */
  readonly resource: string;
  /** Empty: in all namespaces, or cluster-scoped. */
  readonly namespace: string;
}

/** Queries to the API server about itself, its nodes and our account. All may throw `ApiFailure`. */
export class SiteApi {
  constructor(
    private readonly caller: Pick<ApiCaller, 'json'>,
    readonly namespace: string,
  ) {}

  /** SelfSubjectAccessReview, which every account may create. */
  async may({ verb, group, resource: whole, namespace }: Right): Promise<boolean> {
    const [resource, subresource] = whole.split('/');
    const attributes = {
      verb,
      group,
      resource,
      ...(namespace !== '' && { namespace }),
      ...(subresource && { subresource }),
    };
    const answer = await this.caller.json({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: attributes },
      },
      what: `ask whether the account may ${verb} ${whole}`,
    });
    return objectIn(objectIn(answer).status).allowed === true;
  }

  /** For example `v1.34.1`. */
  async version(): Promise<string> {
    const answer = await this.caller.json({ method: 'GET', path: '/version', what: 'read the version' });
    return wordIn(objectIn(answer).gitVersion);
  }

  /** All nodes, as received. */
  nodes(): Promise<readonly unknown[]> {
    return listAll(this.caller, { path: '/api/v1/nodes', what: 'list nodes' });
  }
}
