import { Body, Controller, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { ApiKey, ApiKeysView, ApiKeyView, NewApiKey } from '@fleet/contracts/access';
import { routes } from '@fleet/contracts/routes';
import { CreateKey, RevokeKey } from '@fleet/keys';
import { ACCESS_KEYS, type AccessKeys, KEY_USES, type KeyUses } from '@fleet/ports';
import { AdminSwitch } from '../../http/admin-switch.guard';
import { noteForAudit } from '../../http/audit-note';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { Authentication } from '../../auth/access/authentication';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';

/** The public part of a key, without its hash. */
const viewOf = (key: ApiKey, lastUsedAt?: string): ApiKeyView => ({
  ...(Object.fromEntries(Object.entries(key).filter(([member]) => member !== 'hash')) as ApiKeyView),
  ...(lastUsedAt !== undefined && { lastUsedAt }),
});

/** Owner and purpose of a key, for the audit log. */
const shownOf = ({
  owner,
  role,
  proposals,
  beamlines,
  scopes,
  expiresAt,
  revokedAt,
}: ApiKey): Record<string, unknown> => ({
  owner,
  role,
  proposals,
  beamlines,
  scopes,
  expiresAt,
  ...(revokedAt !== undefined && { revokedAt }),
});

/** API keys. */
@Controller()
@UseGuards(AdminSwitch)
export class KeysController {
  constructor(
    @Inject(ACCESS_KEYS) private readonly keys: AccessKeys,
    @Inject(KEY_USES) private readonly uses: KeyUses,
    private readonly authentication: Authentication,
    private readonly creating: CreateKey,
    private readonly revoking: RevokeKey,
  ) {}

  @Handles(routes.keys.list)
  async list(): Promise<ApiKeysView> {
    const [keys, uses] = await Promise.all([this.keys.list(), this.uses.lastUses()]);
    return { keys: keys.map((key) => viewOf(key, uses[key.id])) };
  }

  /** Once a key exists, every request needs a key. */
  @Handles(routes.keys.create)
  async create(
    @Body() body: unknown,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<NewApiKey> {
    const { text, key } = await this.creating.run(body, principalOf(request));
    noteForAudit(request, { object: `key ${key.id}`, after: shownOf(key) });
    this.authentication.close();
    reply.header('cache-control', 'no-store');
    return { key: text, record: viewOf(key) };
  }

  @Handles(routes.keys.revoke)
  async revoke(@Param('id') id: string, @Req() request: HttpRequest): Promise<ApiKeyView> {
    const revoked = await this.revoking.run(id, principalOf(request));
    noteForAudit(request, { after: shownOf(revoked) });
    return viewOf(revoked, (await this.uses.lastUses())[id]);
  }
}
