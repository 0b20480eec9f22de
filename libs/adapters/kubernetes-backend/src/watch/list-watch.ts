import { setTimeout as sleep } from 'node:timers/promises';
import { hasStatus } from '../api/api-failure';
import type { ClusterApi, Resource } from '../api/cluster-api';
import { linesOf } from './json-lines';
import { Latch } from './latch';
import { ObjectStore, type Stored, type StoreListener } from './object-store';

export interface ListWatchOptions<T> {
  readonly api: ClusterApi;
  readonly resource: Resource;
  readonly selector: string;
  /** Parses an object; undefined if it is not one. */
  readonly see: (raw: unknown) => T | undefined;
  readonly onChange: StoreListener<T>;
  /** Called after each list, when the store is up to date. */
  readonly onListed?: () => void;
  /** Milliseconds between lists. */
  readonly relistMs: number;
  readonly watch: boolean;
  /** Pause after the first failure, in milliseconds; doubled each time. */
  readonly pauseMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Called with each failure and the next step. */
  readonly onTrouble: (message: string) => void;
  /** A watch that is silent for this long is dead; bookmarks arrive about every minute. Milliseconds. */
  readonly silenceMs?: number;
}

/**
 * Seconds after which the server ends a watch; up to half more at random, so that watches do not all reconnect at once.
 */
const watchSeconds = 300;
const defaultSilenceMs = 100_000;
const longestPauseMs = 30_000;
/** A watch that lived this long counts as healthy, in milliseconds. */
const wellAfterMs = 5_000;

/** The server has dropped the version from which a watch should continue. */
class VersionGone extends Error {}

/**
 * Keeps a store of one kind of objects up to date, without those that had succeeded at the last list. It lists at
 * intervals and watches in between. Each alone is sufficient: whatever happens to the watch (broken, silent, rejected,
 * outdated), the next list corrects the store.
 */
export class ListWatch<T extends Stored> {
  readonly store: ObjectStore<T>;
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  private readonly first = new Latch();
  /** Where the next watch continues; undefined until the first list. */
  private version: string | undefined;
  private listIsDue = new AbortController();
  private versionIsKnown = new Latch();

  constructor(private readonly options: ListWatchOptions<T>) {
    this.store = new ObjectStore(options.onChange);
  }

  start(): void {
    this.loops.push(this.listAgainAndAgain());
    if (this.options.watch) this.loops.push(this.watchAgainAndAgain());
  }

  /** Resolves after the first list. */
  synced(): Promise<void> {
    return this.first.passed();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.versionIsKnown.open();
    await Promise.all(this.loops);
  }

  private async listAgainAndAgain(): Promise<void> {
    for (let failures = 0; !this.stopped();) {
      const began = performance.now();
      try {
        await this.list();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!this.stopped()) this.trouble('listing', error);
      }
      await this.pause(this.options.pauseMs / 2);
      // From the start of one list to that of the next, so that this is the maximum delay of a change.
      const rest = Math.max(0, this.options.relistMs - (performance.now() - began));
      const pause = failures === 0 ? rest : Math.min(this.options.relistMs, this.pauseMs(failures));
      await this.pause(pause, this.listIsDue.signal);
      if (this.listIsDue.signal.aborted) this.listIsDue = new AbortController();
    }
  }

  private async list(): Promise<void> {
    const { api, resource, selector, see } = this.options;
    this.store.listBegins();
    const objects: T[] = [];
    let next: string | undefined;
    let version: string;
    do {
      const page = await api.listPage(resource, selector, next);
      for (const raw of page.items) {
        const object = see(raw);
        if (object !== undefined) objects.push(object);
      }
      next = page.next;
      version = page.resourceVersion;
      if (this.stopped()) return;
    } while (next !== undefined);
    if (this.store.listed(objects, version)) this.version = version;
    this.version ??= version;
    this.versionIsKnown.open();
    this.first.open();
    this.options.onListed?.();
  }

  private async watchAgainAndAgain(): Promise<void> {
    for (let failures = 0; !this.stopped();) {
      await this.versionIsKnown.passed();
      const { version } = this;
      if (this.stopped() || version === undefined) return;
      const began = performance.now();
      try {
        await this.follow(version);
        failures = 0;
      } catch (error) {
        if (this.stopped()) return;
        const isGone = error instanceof VersionGone || hasStatus(error, 410);
        if (isGone) this.relist();
        else this.trouble('watching', error);
        failures = performance.now() - began > wellAfterMs ? 1 : failures + 1;
      }
      await this.pause(this.pauseMs(Math.max(1, failures)));
    }
  }

  /** Reads one watch to its end. */
  private async follow(version: string): Promise<void> {
    const { api, resource, selector, random, silenceMs = defaultSilenceMs } = this.options;
    const silent = new AbortController();
    const timer = setTimeout(() => silent.abort(new Error(`it was silent for ${silenceMs} ms`)), silenceMs);
    try {
      const seconds = Math.round(watchSeconds * (1 + random() / 2));
      const signal = AbortSignal.any([this.stopping.signal, silent.signal]);
      const stream = await api.watch(resource, selector, { resourceVersion: version, seconds }, signal);
      for await (const line of linesOf(stream)) {
        timer.refresh();
        this.take(line);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private take(line: string): void {
    const event = JSON.parse(line) as { readonly type?: unknown; readonly object?: unknown };
    if (event.type === 'ERROR') throw errorOfWatch(event.object);
    const object = this.options.see(event.object);
    const version = object?.resourceVersion ?? versionOf(event.object);
    if (object !== undefined && event.type === 'DELETED') this.store.drop(object);
    else if (object !== undefined && event.type !== 'BOOKMARK') this.store.put(object);
    if (version !== '') this.version = version;
  }

  /** The watch has lost its version: list now, and watch from there. */
  private relist(): void {
    this.version = undefined;
    this.versionIsKnown = new Latch();
    this.listIsDue.abort();
  }

  private pauseMs(failures: number): number {
    const doubled = Math.min(longestPauseMs, this.options.pauseMs * 2 ** (failures - 1));
    return doubled * (0.5 + this.options.random() / 2);
  }

  private async pause(ms: number, wake?: AbortSignal): Promise<void> {
    const signal = wake === undefined ? this.stopping.signal : AbortSignal.any([this.stopping.signal, wake]);
    await sleep(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  private stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private trouble(doing: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.options.onTrouble(`${doing} ${this.options.resource} failed; retrying: ${reason}`);
  }
}

const versionOf = (object: unknown): string => {
  const { metadata } = (object ?? {}) as { metadata?: { resourceVersion?: unknown } };
  return typeof metadata?.resourceVersion === 'string' ? metadata.resourceVersion : '';
};

const errorOfWatch = (status: unknown): Error => {
  const { code, message } = (status ?? {}) as { code?: unknown; message?: unknown };
  const text = typeof message === 'string' ? message : 'the server closed it';
  return code === 410 ? new VersionGone(text) : new Error(text);
};
