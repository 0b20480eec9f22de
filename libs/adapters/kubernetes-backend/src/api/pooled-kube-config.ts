import type { AgentOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import { HttpMethod, KubeConfig, RequestContext, type Cluster } from '@kubernetes/client-node';
import { Agent, ProxyAgent, type Dispatcher } from 'undici';

/** Sockets to the API server at once, watches included. */
const connections = 32;

/**
 * Where the cluster is and who we are, as kubectl finds it out (KUBECONFIG, ~/.kube/config, the service account of a
 * pod), over one pool of sockets. The client library alone makes a new pool for each call, and leaves its sockets open
 * for seconds: 300 calls were 300 sockets.
 */
class PooledKubeConfig extends KubeConfig {
  private current: { readonly made: DispatcherOptions; readonly pool: Dispatcher } | undefined;

  /** Called by the library for each request; private in its types, but looked up on the object. */
  poolFor(cluster: Cluster | null, options: AgentOptions): Dispatcher {
    const made = this.createDispatcherOptions(cluster, options);
    if (this.current !== undefined && isDeepStrictEqual(this.current.made, made)) return this.current.pool;
    // Credentials were renewed: calls under way end on the old sockets, which then close.
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

/** The watch is quiet for minutes and calls have timeouts of their own, so the pool has none for bodies. */
const timeouts = { bodyTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 30_000 } as const;

type DispatcherOptions = ReturnType<KubeConfig['createDispatcherOptions']>;

/** Options of `tls.connect`; undici's type does not let them be undefined, which they never are here. */
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

/** What a call needs to reach the API server. */
export interface ClusterAccess {
  readonly server: string;
  /** Headers and sockets for a call that is made now; tokens are renewed by it. */
  authorise(url: string): Promise<{ readonly headers: Record<string, string>; readonly dispatcher: Dispatcher }>;
  close(): Promise<void>;
}

/**
 * Access as kubectl would have it, or with the kubeconfig at a path.
 * @throws Error when there is none.
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
