import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { isWithinReach, may } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { failureText } from '@fleet/contracts/faults';
import type { StreamNotice } from '@fleet/contracts/sessions';
import type { SessionGroup } from '@fleet/ports';
import { toWallUpdate } from '@fleet/session-report';
import { isRefusal } from '../../http/errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { isWanted } from './is-wanted';
import { updateFrame, UpdatePages, type UpdatePage } from './update-pages.service';
import { OpenStreams } from './open-streams.service';
import { untilAborted } from '../../http/until-aborted';

/** Milliseconds between two tries while the store is unreachable. */
const storeRetryMs = 1000;
/** Time for a slow client to read why it is dropped, in milliseconds. */
const farewellMs = 1000;

/** What a client subscribes to. */
export interface Hearing {
  readonly wanted: SessionGroup;
  /** Where it was disconnected, or where it begins. */
  readonly cursor: string;
  readonly isNew: boolean;
  /** Its current access, which may change meanwhile. @throws ApiError if it has lost access */
  readonly principal: () => Promise<Principal>;
}

/** A connected client. */
interface Ear {
  readonly hearing: Hearing;
  readonly response: ServerResponse;
  readonly stop: AbortSignal;
}

const message = (event: string, data: StreamNotice | object, cursor?: string): string =>
  `event: ${event}\n${cursor === undefined ? '' : `id: ${cursor}\n`}data: ${JSON.stringify(data)}\n\n`;

const notKept: StreamNotice = {
  code: 'events.not_kept',
  detail:
    'Some updates since your last event were deleted. Read your lists again; this stream continues with new updates.',
};
const tooSlow: StreamNotice = {
  code: 'events.too_slow',
  detail: 'You read more slowly than updates arrive. Reconnect with your last id, or filter for fewer sessions.',
};

/** Event streams of many sessions. */
@Injectable()
export class UpdateStreams {
  private readonly logger = new Logger('UpdateStreams');

  constructor(
    private readonly pages: UpdatePages,
    private readonly streams: OpenStreams,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /** Sends updates until the client has disconnected, is too slow or has lost access, or the service stops. */
  async run(hearing: Hearing, response: ServerResponse, headers: Readonly<Record<string, string>>): Promise<void> {
    await this.streams.serve(response, headers, async (stop) => {
      if (hearing.isNew) response.write(message('ready', {}, hearing.cursor));
      try {
        await this.pump({ hearing, response, stop });
        return undefined;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return message('end', { code: 'events.not_admitted', detail: error.message });
      }
    });
  }

  /** @throws ApiError if the client has lost access */
  private async pump({ hearing, response, stop }: Ear): Promise<void> {
    let { cursor } = hearing;
    let wroteAt = performance.now();
    let isAway = false;
    while (!stop.aborted) {
      const turn = await this.turn(cursor, hearing, stop);
      if (turn === 'away') {
        await this.reportAway(response, isAway, stop);
        isAway = true;
        continue;
      }
      isAway = false;
      if (turn === undefined) continue;
      const text = this.textOf(turn.page, turn.principal, hearing.wanted);
      cursor = turn.page.last;
      // The cursor is sent from time to time even without updates: otherwise it would be too old when the client
      // reconnects.
      const isQuiet = text === '' && performance.now() - wroteAt < this.options.heartbeatMs;
      if (isQuiet && turn.page.updates.length > 0) continue;
      wroteAt = performance.now();
      const flows = response.write(text === '' ? `: waiting\nid: ${cursor}\n\n` : text);
      if (!flows && !(await this.drained(response, stop))) return;
    }
  }

  /** Reports an unreachable store once, because a client must not mistake silence for no changes; then pauses. */
  private async reportAway(response: ServerResponse, isReported: boolean, stop: AbortSignal): Promise<void> {
    if (!isReported) response.write(message('away', {}));
    await untilAborted(pause(storeRetryMs, undefined, { signal: stop }), stop);
  }

  /** `away` if the store is unreachable; undefined if the stream must stop. */
  private async turn(
    cursor: string,
    { principal }: Hearing,
    stop: AbortSignal,
  ): Promise<{ readonly page: UpdatePage; readonly principal: Principal } | 'away' | undefined> {
    try {
      const page = await untilAborted(this.pages.next(cursor), stop);
      return page === undefined ? undefined : { page, principal: await principal() };
    } catch (error) {
      if (stop.aborted) return undefined;
      if (isRefusal(error)) throw error;
      this.logger.warn(`updates cannot be read: ${failureText(error)}`);
      return 'away';
    }
  }

  private textOf({ updates, missed, last }: UpdatePage, principal: Principal, wanted: SessionGroup): string {
    if (missed) return message('reload', notKept, last);
    const isWhole = may(principal, 'session.list');
    return updates
      .filter(({ update }) => isWithinReach(principal, update.session) && isWanted(update, wanted))
      .map((one) => (isWhole ? one.message : updateFrame(one.id, toWallUpdate(one.update))))
      .join('');
  }

  /** Whether a client has read what was sent in time: unsent data stay in memory. */
  private async drained(response: ServerResponse, stop: AbortSignal): Promise<boolean> {
    const late = AbortSignal.timeout(this.options.slowClientMs);
    const until = AbortSignal.any([stop, late]);
    await untilAborted(once(response, 'drain', { signal: until }), until);
    if (!late.aborted || stop.aborted) return true;
    response.write(message('end', tooSlow));
    setTimeout(() => response.destroy(), farewellMs).unref();
    return false;
  }
}
