import type { AgentOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import { HttpMethod, KubeConfig, RequestContext, type Cluster } from '@kubernetes/client-node';
import { Agent, ProxyAgent, type Dispatcher } from 'undici';

/** Maximum number of sockets to the API server, including watches. */
const connections = 32;

/**
 * The cluster and credentials as kubectl finds them (KUBECONFIG, ~/.kube/config, a pod's service account), with one
 * socket pool. The client library creates a new pool per call and leaves its sockets open for seconds: 300 calls were
 * 300 sockets.
 */
class PooledKubeConfig extends KubeConfig {
  private current: { readonly made: DispatcherOptions; readonly pool: Dispatcher } | undefined;

  /** The library calls it for each request. It is private in the types, but looked up on the object. */
  poolFor(cluster: Cluster | null, options: AgentOptions): Dispatcher {
    const made = this.createDispatcherOptions(cluster, options);
    if (this.current !== undefined && isDeepStrictEqual(this.current.made, made)) return this.current.pool;
    // Credentials were renewed: calls in progress end on the old sockets, which then close.
    void this.current?.pool.close();
    this.current = { made, pool: newPool(made) };
    return this.current.pool;
  }

  async closePool(): Promise<void> {
    const pool = this.current?.pool;
    this.current = undefined;
    await pool?.destroy();
  }
}

/** No body timeout: a watch is quiet for minutes, and calls have their own timeouts. */
const timeouts = { bodyTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 30_000 } as const;

type DispatcherOptions = ReturnType<KubeConfig['createDispatcherOptions']>;

/** Options of `tls.connect`, without `undefined`, which undici's type excludes. */
type TlsOptions = Exclude<Agent.Options['connect'], ((...args: never[]) => unknown) | undefined>;
type ProxyTls = NonNullable<ProxyAgent.Options['requestTls']>;

const newPool = (made: DispatcherOptions): Dispatcher => {
  switch (made.type) {
    case 'proxy':
      return new ProxyAgent({ uri: made.uri, requestTls: made.requestTls as ProxyTls, connections, ...timeouts });
    case 'socks':
      throw new Error('a SOCKS proxy to the Kubernetes API server is not supported: use an HTTP proxy (proxy-url)');
    case 'agent':
      return new Agent({ connect: { ...(made.connect as TlsOptions), timeout: 5_000 }, connections, ...timeouts });
    case 'none':
      return new Agent({ connect: { timeout: 5_000 }, connections, ...timeouts });
  }
};

/** Access to the API server. */
export interface ClusterAccess {
  readonly server: string;
  /** Headers and sockets for a call made now; renews tokens. */
  authorise(url: string): Promise<{ readonly headers: Record<string, string>; readonly dispatcher: Dispatcher }>;
  close(): Promise<void>;
}

/**
 * Access as kubectl would have it, or with the kubeconfig at a path.
 * @throws Error if there is none
 */
export const clusterAccess = (kubeconfig?: string): ClusterAccess => {
  const config = new PooledKubeConfig();
  if (kubeconfig === undefined) config.loadFromDefault();
  else config.loadFromFile(kubeconfig);
  Object.defineProperty(config, 'createDispatcher', { value: config.poolFor.bind(config) });
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error('no Kubernetes cluster is configured');
  return {
    server: cluster.server.replace(/\/+$/, ''),
    authorise: async (url) => {
      const context = new RequestContext(url, HttpMethod.GET);
      await config.applySecurityAuthentication(context);
      const dispatcher = context.getDispatcher();
      if (dispatcher === undefined) throw new Error('the Kubernetes client made no connection pool');
      return { headers: context.getHeaders(), dispatcher };
    },
    close: () => config.closePool(),
  };
};
