/** The subject of an access review. */
export interface ReviewedRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
}

/** The fake cluster's version, nodes and permissions. */
export class FakeSite {
  version = 'v1.34.1';
  /** Whether the account has the permission; by default exactly those of the Role. */
  mayDo: (right: ReviewedRight) => boolean = ({ verb, resource }) =>
    verb !== '*' && !['secrets', 'nodes'].includes(resource) && !(resource === 'pods' && verb === 'create');
  /** As received from a server. */
  nodes: readonly object[] = [];

  /** The response, if the call is of this kind. */
  answer(method: string, path: string, body: unknown): readonly [status: number, body: unknown] | undefined {
    if (path === '/version') return [200, { gitVersion: this.version }];
    if (path === '/api/v1/nodes' && method === 'GET') return [200, { metadata: {}, items: this.nodes }];
    if (!path.endsWith('/selfsubjectaccessreviews')) return undefined;
    const { spec } = body as { spec: { resourceAttributes: ReviewedRight } };
    return [201, { status: { allowed: this.mayDo(spec.resourceAttributes) } }];
  }
}
