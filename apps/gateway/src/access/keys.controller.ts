import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { ApiKey, ApiKeysView, ApiKeyView, NewApiKey } from '@fleet/contracts';
import { ACCESS_KEYS, CLOCK, isoTime, KEY_USES, type AccessKeys, type Clock, type KeyUses } from '@fleet/ports';
import { AdminSwitch } from '../administration/admin-switch.guard';
import { noteForAudit } from '../audit/audit-note';
import { ApiError } from '../errors/problem-details';
import type { HttpReply, HttpRequest } from '../http/http-types';
import { KeysDocs, NewKeyDocs, RevokeKeyDocs } from '../openapi/access-docs';
import { refuseProblems } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { Authentication } from './authentication';
import { newKeyText } from './key-text';
import { principalOf } from './principal-of';
import { readKeyWish } from './read-key-wish';
import { Requires } from './requires.decorator';

const dayMs = 24 * 60 * 60 * 1000;

/** What anybody may see of a key: not even its hash. */
const viewOf = (key: ApiKey, lastUsedAt?: string): ApiKeyView => ({
  ...(Object.fromEntries(Object.entries(key).filter(([member]) => member !== 'hash')) as ApiKeyView),
  ...(lastUsedAt !== undefined && { lastUsedAt }),
});

/** Whose key it is and what for, for the audit log. */
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

/** The keys of the API. */
@Controller('v1/admin/keys')
@UseGuards(AdminSwitch)
export class KeysController {
  constructor(
    @Inject(ACCESS_KEYS) private readonly keys: AccessKeys,
    @Inject(KEY_USES) private readonly uses: KeyUses,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly authentication: Authentication,
  ) {}

  @Get()
  @Requires('keys.read')
  @KeysDocs()
  async list(): Promise<ApiKeysView> {
    const [keys, uses] = await Promise.all([this.keys.list(), this.uses.lastUses()]);
    return { keys: keys.map((key) => viewOf(key, uses[key.id])) };
  }

  /** From the first key on, nobody gets in without one. */
  @Post()
  @Requires('keys.change')
  @NewKeyDocs()
  async create(
    @Body() body: unknown,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<NewApiKey> {
    const problems = new ProblemList();
    const { expires_in_days: days, ...wish } = readKeyWish(body, await this.authentication.isOpen(), problems);
    refuseProblems(problems);
    const { id, text, hash } = newKeyText();
    const createdBy = principalOf(request).id;
    const expiresAt = new Date(this.clock.now() + days * dayMs).toISOString();
    const key: ApiKey = { ...wish, id, hash, createdAt: isoTime(this.clock), createdBy, expiresAt };
    await this.keys.create(key);
    noteForAudit(request, { object: `key ${id}`, after: shownOf(key) });
    this.authentication.close();
    reply.header('cache-control', 'no-store');
    return { key: text, record: viewOf(key) };
  }

  @Post(':id/revocation')
  @HttpCode(200)
  @Requires('keys.change')
  @RevokeKeyDocs()
  async revoke(@Param('id') id: string, @Req() request: HttpRequest): Promise<ApiKeyView> {
    const by = { revokedAt: isoTime(this.clock), revokedBy: principalOf(request).id };
    const revoked = /^[0-9a-z]{16}$/.test(id) ? await this.keys.revoke(id, by) : undefined;
    if (revoked !== undefined) noteForAudit(request, { after: shownOf(revoked) });
    if (revoked !== undefined) return viewOf(revoked, (await this.uses.lastUses())[id]);
    throw new ApiError('key.not_found', `There is no key ${JSON.stringify(id.slice(0, 64))}; see phx admin keys list.`);
  }
}
