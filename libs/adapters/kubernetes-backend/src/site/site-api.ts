import type { ApiCaller } from '../api/api-call';

/** Something that an account may do, or not. */
export interface Right {
  readonly verb: string;
  /** Empty: the core group. */
  readonly group: string;
  /** `pods/log` names a subresource. */
  readonly resource: string;
  /** Empty: in all namespaces, or of what is in none. */
  readonly namespace: string;
}

type Json = Readonly<Record<string, unknown>>;
const objectIn = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** A page of nodes; thousands are read in a few calls. */
const pageSize = 500;

/** What is asked of the API server about itself, its nodes and our account. All may throw `ApiFailure`. */
export class SiteApi {
  constructor(
    private readonly caller: Pick<ApiCaller, 'json'>,
    readonly namespace: string,
  ) {}

  /** SelfSubjectAccessReview: everybody may ask it. */
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
    const { gitVersion } = objectIn(answer);
    return typeof gitVersion === 'string' ? gitVersion : '';
  }

  /** All nodes, as the server sent them. */
  async nodes(): Promise<readonly unknown[]> {
    const nodes: unknown[] = [];
    let next: string | undefined;
    do {
      const answer = objectIn(
        await this.caller.json({
          method: 'GET',
          verb: 'list',
          path: '/api/v1/nodes',
          query: { limit: String(pageSize), continue: next },
          what: 'list nodes',
        }),
      );
      nodes.push(...(Array.isArray(answer.items) ? (answer.items as unknown[]) : []));
      const told = objectIn(answer.metadata).continue;
      next = typeof told === 'string' && told !== '' ? told : undefined;
    } while (next !== undefined);
    return nodes;
  }
}
