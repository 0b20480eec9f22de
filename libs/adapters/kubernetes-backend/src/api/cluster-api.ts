import type { V1Job } from '@kubernetes/client-node';
import type { ApiCaller } from './api-call';
import { hasStatus } from './api-failure';
import { listIn, objectIn, wordIn } from './json';
import { listAll, listPage, type ListCall, type ListPage } from './list-pages';
import type { Manifest } from '../job/manifest';

/** The resources that are listed and watched. */
const resources = { jobs: '/apis/batch/v1', pods: '/api/v1' } as const;
export type Resource = keyof typeof resources;

/**
 * Lists leave out Jobs and pods that succeeded. Thousands of them are kept for a while (`ttlSecondsAfterFinished`), and
 * their result is in the run's folder. Failed ones are listed, because only their pods say why.
 */
const stillOfInterest: Readonly<Record<Resource, string>> = {
  jobs: 'status.successful=0',
  pods: 'status.phase!=Succeeded',
};

/** The calls of the backend, in the namespace of the Jobs. All may throw `ApiFailure`. */
export class ClusterApi {
  constructor(
    private readonly caller: ApiCaller,
    private readonly namespace: string,
  ) {}

  /** Milliseconds that a call made now would wait for the rate limit. */
  waitMs(): number {
    return this.caller.waitMs();
  }

  /** @throws ApiFailure with status 409 if a Job of that name exists */
  createJob(job: Manifest<V1Job>): Promise<unknown> {
    const what = `create Job ${job.metadata?.name ?? ''}`;
    return this.caller.json({ method: 'POST', path: this.path('jobs'), body: job, what });
  }

  /** Undefined if it does not exist. */
  async readJob(name: string): Promise<unknown> {
    return this.orNothing(this.caller.json({ method: 'GET', path: this.path('jobs', name), what: `read Job ${name}` }));
  }

  /** A missing Job is not an error. With `Foreground` the Job stays until its pods are deleted. */
  async deleteJob(name: string, propagationPolicy: 'Foreground' | 'Background'): Promise<void> {
    await this.orNothing(
      this.caller.json({
        method: 'DELETE',
        path: this.path('jobs', name),
        body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy },
        what: `delete Job ${name}`,
      }),
    );
  }

  /** One page of the objects that have not succeeded. */
  listPage(resource: Resource, selector: string, next?: string): Promise<ListPage> {
    return listPage(this.caller, this.listCall(resource, selector), next);
  }

  /** All objects with these labels that have not succeeded. The pages may be from slightly different moments. */
  listAll(resource: Resource, selector: string): Promise<readonly unknown[]> {
    return listAll(this.caller, this.listCall(resource, selector));
  }

  /** The stream of changes since a version, as lines of JSON. The server ends it after `seconds`. */
  watch(
    resource: Resource,
    selector: string,
    since: { readonly resourceVersion: string; readonly seconds: number },
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    return this.caller.open(
      {
        method: 'GET',
        verb: 'watch',
        path: this.path(resource),
        query: {
          watch: 'true',
          labelSelector: selector,
          resourceVersion: since.resourceVersion,
          allowWatchBookmarks: 'true',
          timeoutSeconds: String(since.seconds),
        },
        what: `watch ${resource}`,
      },
      signal,
    );
  }

  /** The last lines of a container's output; empty if the node does not return them. */
  async logTail(pod: string, container: string, lines: number, bytes: number): Promise<string> {
    const text = await this.orNothing(
      this.caller.text({
        method: 'GET',
        path: `${this.path('pods', pod)}/log`,
        query: { container, tailLines: String(lines), limitBytes: String(bytes) },
        what: `read the log of pod ${pod}`,
      }),
    );
    return wordIn(text);
  }

  /** Messages of the cluster's events about an object, the newest last. */
  async eventMessages(kind: 'Job' | 'Pod', name: string): Promise<readonly string[]> {
    const answer = await this.caller.json({
      method: 'GET',
      verb: 'list',
      path: `/api/v1/namespaces/${this.namespace}/events`,
      query: { fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}`, limit: '20' },
      what: `list the events of ${kind} ${name}`,
    });
    return listIn(objectIn(answer).items).flatMap(({ type, message }) =>
      type === 'Warning' && wordIn(message) !== '' ? [wordIn(message)] : [],
    );
  }

  private listCall(resource: Resource, selector: string): ListCall {
    const query = { labelSelector: selector, fieldSelector: stillOfInterest[resource] };
    return { path: this.path(resource), query, what: `list ${resource}` };
  }

  private path(resource: Resource, name?: string): string {
    const base = `${resources[resource]}/namespaces/${this.namespace}/${resource}`;
    return name === undefined ? base : `${base}/${encodeURIComponent(name)}`;
  }

  private async orNothing<T>(call: Promise<T>): Promise<T | undefined> {
    try {
      return await call;
    } catch (error) {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    }
  }
}
