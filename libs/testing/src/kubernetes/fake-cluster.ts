import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeSite } from './fake-site';
import { FakeObjects, fits, hasFields, type FakeKind, type FakeObject } from './fake-objects';

/** The failure of a call. `drop_after` executes the call, and breaks the connection. */
type FakeFailure =
  | { readonly status: number; readonly reason?: string; readonly message?: string; readonly retryAfter?: string }
  | 'reset'
  | 'hang'
  | 'drop_after';

export interface FakeRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

interface Call extends FakeRequest {
  readonly body: unknown;
  readonly kind: FakeKind | undefined;
  readonly name: string | undefined;
  readonly isLog: boolean;
}

/** Undefined: the call succeeds. */
export type FakeTrouble = (request: FakeRequest) => FakeFailure | undefined;

/**
 * An in-process API server with Jobs and pods, and with scripted failures. It has no controller: tests create the pods.
 */
export class FakeCluster {
  readonly objects = new FakeObjects();
  readonly site = new FakeSite();
  readonly requests: FakeRequest[] = [];
  readonly kubeconfig: string;
  /** Sockets opened so far, and currently open ones. */
  sockets = 0;
  openSockets = 0;
  trouble: FakeTrouble = () => undefined;
  log = '';
  private readonly folder = mkdtempSync(join(tmpdir(), 'fleet-fake-cluster-'));
  private readonly watches = new Set<ServerResponse>();
  private readonly held = new Set<ServerResponse>();

  private constructor(private readonly server: Server) {
    this.kubeconfig = join(this.folder, 'kubeconfig');
  }

  static async start(): Promise<FakeCluster> {
    const server = createServer();
    const cluster = new FakeCluster(server);
    server.on('request', (request, response) => cluster.receive(request, response));
    server.on('connection', (socket) => {
      cluster.sockets += 1;
      cluster.openSockets += 1;
      socket.on('close', () => {
        cluster.openSockets -= 1;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    writeFileSync(cluster.kubeconfig, JSON.stringify(kubeconfigOf(port)));
    return cluster;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Calls of a kind so far: `POST jobs`, `WATCH pods`, `LIST jobs`, `GET jobs`, `DELETE jobs`. */
  count(what: string): number {
    return this.requests.filter((request) => whatOf(request) === what).length;
  }

  /** Breaks all watches that are open. */
  dropWatches(): void {
    for (const watch of this.watches) watch.destroy();
  }

  /** Creates a pod of a Job like its controller; `status` as written by the kubelet. */
  addPod(job: string, status: object, changes: { readonly name?: string; readonly node?: string } = {}): FakeObject {
    const owner = this.objects.get('jobs', job);
    return this.objects.add('pods', {
      metadata: {
        name: changes.name ?? `${job}-abcde`,
        labels: { ...owner?.metadata.labels, 'batch.kubernetes.io/job-name': job },
      },
      spec: { nodeName: changes.node ?? 'node-1' },
      status,
    });
  }

  runPod(job: string): void {
    this.addPod(job, {
      phase: 'Running',
      containerStatuses: [{ name: 'program', state: { running: { startedAt: new Date().toISOString() } } }],
    });
  }

  /** Ends a Job and its pod. */
  finish(job: string, exitCode = 0): void {
    const succeeded = exitCode === 0;
    for (const pod of this.objects.list('pods', `batch.kubernetes.io/job-name=${job}`)) {
      this.objects.change('pods', pod.metadata.name, (object) => {
        object.status = {
          phase: succeeded ? 'Succeeded' : 'Failed',
          containerStatuses: [{ name: 'program', state: { terminated: { exitCode } } }],
        };
      });
    }
    this.objects.change('jobs', job, (object) => {
      const type = succeeded ? 'Complete' : 'Failed';
      const conditions = [{ type, status: 'True', reason: succeeded ? '' : 'BackoffLimitExceeded' }];
      object.status = { conditions, ...(succeeded ? { succeeded: 1 } : { failed: 1 }) };
    });
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    request.on('end', () => {
      const call = callOf(request, text);
      this.requests.push({ at: call.at, method: call.method, path: call.path, query: call.query });
      this.answer(call, response);
    });
  }

  private answer(call: Call, response: ServerResponse): void {
    const failure = this.trouble(call);
    if (failure === 'reset') response.destroy();
    else if (failure === 'hang') this.held.add(response);
    else if (failure === 'drop_after') {
      this.perform(call);
      response.destroy();
    } else if (failure !== undefined) {
      if (failure.retryAfter !== undefined) response.setHeader('retry-after', failure.retryAfter);
      reply(response, failure.status, statusObject(failure.status, failure.reason ?? 'Failure', failure.message));
    } else if (call.query.watch === 'true' && call.kind !== undefined) this.watch(call, call.kind, response);
    else if (call.isLog) response.end(this.log);
    else {
      const [status, body] = this.perform(call);
      reply(response, status, body);
    }
  }

  private perform({ method, path, kind, name, query, body }: Call): readonly [status: number, body: unknown] {
    if (kind === undefined) return this.site.answer(method, path, body) ?? [200, { items: [] }];
    if (method === 'POST') return this.create(kind, body as FakeObject);
    if (name === undefined) return [200, this.page(kind, query)];
    const object = this.objects.get(kind, name);
    if (object === undefined) return [404, statusObject(404, 'NotFound', `${kind} "${name}" not found`)];
    if (method === 'DELETE') this.delete(kind, object, body as { propagationPolicy?: string });
    return [200, object];
  }

  private create(kind: FakeKind, given: FakeObject): [status: number, body: unknown] {
    if (this.objects.get(kind, given.metadata.name) !== undefined) {
      return [409, statusObject(409, 'AlreadyExists', `${kind} "${given.metadata.name}" already exists`)];
    }
    return [201, this.objects.add(kind, given)];
  }

  private page(kind: FakeKind, query: Call['query']): unknown {
    const labelled = this.objects.list(kind, query.labelSelector ?? '');
    const all = labelled.filter((object) => hasFields(object, query.fieldSelector ?? ''));
    const from = Number(query.continue ?? 0);
    const to = from + Number(query.limit ?? all.length);
    return {
      metadata: {
        resourceVersion: String(this.objects.version),
        ...(to < all.length && { continue: String(to) }),
      },
      items: all.slice(from, to),
    };
  }

  private delete(kind: FakeKind, object: FakeObject, { propagationPolicy }: { propagationPolicy?: string }): void {
    const { name } = object.metadata;
    const mark = (marked: FakeObject): void => {
      marked.metadata.deletionTimestamp ??= new Date().toISOString();
    };
    for (const pod of this.objects.list('pods', `batch.kubernetes.io/job-name=${name}`)) {
      this.objects.change('pods', pod.metadata.name, mark);
    }
    if (propagationPolicy === 'Foreground') this.objects.change(kind, name, mark);
    else this.objects.remove(kind, name);
  }

  private watch({ query }: Call, kind: FakeKind, response: ServerResponse): void {
    const from = Number(query.resourceVersion ?? 0);
    const selector = query.labelSelector ?? '';
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (from < this.objects.oldest) {
      response.end(`${JSON.stringify({ type: 'ERROR', object: statusObject(410, 'Expired', 'too old') })}\n`);
      return;
    }
    const send = (event: FakeObjects['events'][number]): void => {
      if (event.kind !== kind || event.version <= from || !fits(event.object, selector)) return;
      response.write(`${JSON.stringify({ type: event.type, object: event.object })}\n`);
    };
    for (const event of this.objects.events) send(event);
    const stop = this.objects.onEvent(send);
    this.watches.add(response);
    response.on('close', () => {
      stop();
      this.watches.delete(response);
    });
  }
}

const callOf = (request: IncomingMessage, text: string): Call => {
  const url = new URL(request.url ?? '/', 'http://fake');
  const [, kind, name, log] = /\/namespaces\/[^/]+\/(jobs|pods)(?:\/([^/]+))?(\/log)?$/.exec(url.pathname) ?? [];
  return {
    at: performance.now(),
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: text === '' ? {} : JSON.parse(text),
    kind: kind as FakeKind | undefined,
    name,
    isLog: log !== undefined,
  };
};

const whatOf = ({ method, path, query }: FakeRequest): string => {
  const [, kind = '', name] = /\/(jobs|pods)(\/.+)?$/.exec(path) ?? [];
  if (query.watch === 'true') return `WATCH ${kind}`;
  return method === 'GET' && name === undefined ? `LIST ${kind}` : `${method} ${kind}`;
};

const statusObject = (code: number, reason: string, message = reason): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason,
  message,
});

const reply = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const kubeconfigOf = (port: number): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    { name: 'fake', cluster: { server: `http://127.0.0.1:${String(port)}`, 'insecure-skip-tls-verify': true } },
  ],
  users: [{ name: 'tester', user: { token: 'none' } }],
  contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'tester' } }],
  'current-context': 'fake',
});
