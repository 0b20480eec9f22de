import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionRow } from '@fleet/contracts/sessions';
import { anEvent, eventually } from '@fleet/testing';
import type { RealGateway } from '../api/real-gateway';
import type { OpenStore } from '../support/servers';

const goesOn = { stage: 'executing', cycle: 1, attempt: 1 } as const;
const ends = (reason: 'converged' | 'infrastructure') =>
  ({ ended: { reason, detail: 'as the test wants it', afterCycle: 0 } }) as const;

/**
 * In place of the workers: ends every session. One whose title begins with `bad` fails the first time; while one called `restarted` runs the
 * gateway goes away, and comes back.
 */
export class SessionEnder {
  private readonly store;
  private readonly failed = new Set<string>();
  /** What the gateway was queried for, before it went away. */
  private readonly queried = new Set<string>();
  private stopped = false;
  private readonly working: Promise<void>;

  constructor(
    private readonly gateway: RealGateway,
    private readonly opened: OpenStore,
  ) {
    this.store = opened.store;
    gateway.app.getHttpServer().on('request', ({ url = '' }: IncomingMessage) => this.queried.add(url));
    this.working = this.work();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.working;
    await this.opened.close();
  }

  private async work(): Promise<void> {
    while (!this.stopped) {
      const { sessions } = await this.store.index.list({ status: 'running' }, 100);
      for (const session of sessions) await this.end(session);
      await pause(50);
    }
  }

  private async end({ id, title }: SessionRow): Promise<void> {
    let fromVersion = 1;
    if (title === 'restarted') {
      const events = [anEvent({ type: 'cycle_start' })];
      await this.store.records.advance({ sessionId: id, fromVersion, to: goesOn, events, dueInMs: 60_000 });
      fromVersion = 2;
      await eventually('who watches it', () => [...this.queried].some((url) => url.includes(`${id}/events`)));
      await this.gateway.vanish();
      await this.gateway.comeBack();
    }
    const fails = title.startsWith('bad') && !this.failed.has(title);
    if (fails) this.failed.add(title);
    const to = ends(fails ? 'infrastructure' : 'converged');
    const events = [anEvent({ type: 'session_ended', cycle: 0 })];
    await this.store.records.advance({ sessionId: id, fromVersion, to, events, dueInMs: 60_000 });
  }
}
