import { Body, Controller, Param, Req } from '@nestjs/common';
import type { SessionRetention } from '@fleet/contracts/retention';
import { routes } from '@fleet/contracts/routes';
import { Retention } from '@fleet/retention';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { noteForAudit } from '../../http/audit-note';
import type { HttpRequest } from '../../http/http-types';
import { SessionIdPipe } from '../../http/session-id.pipe';

/** Retention of one session. */
@Controller()
export class SessionRetentionController {
  constructor(private readonly retention: Retention) {}

  @Handles(routes.sessionRetention.read)
  read(@Param('id', SessionIdPipe) id: string): Promise<SessionRetention> {
    return this.retention.of(id);
  }

  @Handles(routes.sessionRetention.pin)
  async pin(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Req() request: HttpRequest,
  ): Promise<SessionRetention> {
    const before = await this.retention.of(id);
    const after = await this.retention.pin(id, body, principalOf(request));
    noteForAudit(request, { object: `session ${id}`, before: inShort(before), after: inShort(after) });
    return after;
  }

  @Handles(routes.sessionRetention.unpin)
  async unpin(@Param('id', SessionIdPipe) id: string, @Req() request: HttpRequest): Promise<SessionRetention> {
    const before = await this.retention.of(id);
    const after = await this.retention.unpin(id);
    noteForAudit(request, { object: `session ${id}`, before: inShort(before), after: inShort(after) });
    return after;
  }
}

const inShort = ({ pin }: SessionRetention): Record<string, unknown> => ({ pinned: pin !== undefined, ...pin });
