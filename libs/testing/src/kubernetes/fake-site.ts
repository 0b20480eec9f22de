/** What a review of access asks about. */
export interface AskedRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
}

/** What the fake cluster says of itself. */
export class FakeSite {
  version = 'v1.34.1';
  /** Whether the account may do it; a Role's rights and no more, unless a test says otherwise. */
  mayDo: (right: AskedRight) => boolean = ({ verb, resource }) =>
    verb !== '*' && !['secrets', 'nodes'].includes(resource) && !(resource === 'pods' && verb === 'create');
  /** As a server sends them. */
  nodes: readonly object[] = [];

  /** The answer where the call is of this kind. */
  answer(method: string, path: string, body: unknown): readonly [status: number, body: unknown] | undefined {
    if (path === '/version') return [200, { gitVersion: this.version }];
    if (path === '/api/v1/nodes' && method === 'GET') return [200, { metadata: {}, items: this.nodes }];
    if (!path.endsWith('/selfsubjectaccessreviews')) return undefined;
    const { spec } = body as { spec: { resourceAttributes: AskedRight } };
    return [201, { status: { allowed: this.mayDo(spec.resourceAttributes) } }];
  }
}
