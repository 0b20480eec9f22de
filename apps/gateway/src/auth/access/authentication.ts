import { Inject, Injectable } from '@nestjs/common';
import { anyone } from '@fleet/access';
import type { ApiKey, Principal } from '@fleet/contracts/access';
import { isSameHash, readKeyText } from '@fleet/keys';
import { ACCESS_KEYS, CLOCK, isoTime, KEY_USES, type AccessKeys, type Clock, type KeyUses } from '@fleet/ports';
import { ApiError } from '../../http/errors/problem-details';
import { PROPOSAL_MEMBERS, type ProposalMembers } from './proposal-members';
import { VouchedPeople, type Asking } from './vouched-people';

/** How long a gateway without keys caches that there are none, in milliseconds. */
const openForMs = 1_000;
/** Minimum interval between recorded uses of a key, in milliseconds. */
const useEveryMs = 60_000;

const noCredentials = (withTokens: boolean): ApiError =>
  new ApiError(
    'access.no_credentials',
    withTokens
      ? 'This gateway requires a login. Log in (phx login), or send a key or a token of the provider as "Authorization: Bearer KEY"; phx reads either from FLEET_API_KEY.'
      : 'This gateway requires a key. Send it as "Authorization: Bearer KEY"; phx reads it from FLEET_API_KEY, or from phx login --key. An administrator creates keys: phx admin keys create.',
  );

/** Three base64url parts separated by dots, the last possibly empty: a signed token, or something in its form. */
const tokenForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

const badCredentials = (why: string): ApiError => new ApiError('access.bad_credentials', why);

/** Identifies callers. */
@Injectable()
export class Authentication {
  /** Once a key was seen the gateway never opens again, whatever happens to the store. */
  private hasKeys = false;
  private believedOpenUntil = 0;
  private readonly written = new Map<string, number>();

  constructor(
    @Inject(ACCESS_KEYS) private readonly keys: AccessKeys,
    @Inject(KEY_USES) private readonly uses: KeyUses,
    @Inject(PROPOSAL_MEMBERS) private readonly members: ProposalMembers,
    private readonly vouched: VouchedPeople,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The caller: the owner of a key, the subject of a token, or the user logged in with this browser. The header takes
   * precedence over a cookie, which browsers send automatically.
   * @throws ApiError `access.no_credentials`, `access.bad_credentials`, `access.login_ended`,
   *   `access.provider_unavailable`, `access.members_unavailable`, or `request.unmarked` and `request.foreign_page` for
   *   a change by a cookie
   */
  async principalOf(request: Asking): Promise<Principal> {
    const who = await this.identified(request);
    // Administrators see everything, and are admitted while the user office is unavailable.
    if (who?.role === 'admin') return who;
    if (who !== undefined) return this.asMember(who);
    if (await this.isOpen()) return anyone;
    throw noCredentials(this.vouched.areKnown);
  }

  /** Open access: no key was ever created, and no identity provider is configured. */
  async isOpen(): Promise<boolean> {
    if (this.hasKeys || this.vouched.areKnown) return false;
    const now = this.clock.now();
    if (now < this.believedOpenUntil) return true;
    this.hasKeys = await this.keys.any();
    if (!this.hasKeys) this.believedOpenUntil = now + openForMs;
    return !this.hasKeys;
  }

  /** This process created a key: access control starts at once. */
  close(): void {
    this.hasKeys = true;
  }

  /** Undefined: the request has no credentials. */
  private async identified(request: Asking): Promise<Principal | undefined> {
    const { authorization } = request.headers;
    if (authorization === undefined) return this.vouched.ofBrowser(request);
    const [, text = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    // Its form distinguishes the two.
    return tokenForm.test(text) ? this.vouched.ofToken(text) : this.ownerOf(await this.shownKey(text));
  }

  private async asMember(who: Principal): Promise<Principal> {
    return { ...who, proposals: [...new Set([...who.proposals, ...(await this.members.proposalsOf(who.id))])] };
  }

  /** The owner of a presented key. */
  private async ownerOf(key: ApiKey): Promise<Principal> {
    // A client that has the secret may know the state of the key.
    if (key.revokedAt !== undefined)
      throw badCredentials(`The key ${key.id} was revoked on ${key.revokedAt}. Ask an administrator for another.`);
    if (Date.parse(key.expiresAt) <= this.clock.now())
      throw badCredentials(`The key ${key.id} expired on ${key.expiresAt}. Ask an administrator for another.`);
    await this.noteUse(key.id);
    const { owner: id, role, proposals, beamlines, scopes } = key;
    return { id, role, proposals, beamlines, scopes };
  }

  private async shownKey(text: string): Promise<ApiKey> {
    const shown = readKeyText(text);
    if (shown === undefined)
      throw badCredentials(
        this.vouched.areKnown
          ? 'The Authorization header contains neither an API key nor a token (JWT). Expected: "Bearer " and one of them.'
          : 'The Authorization header contains no API key. Expected: "Bearer " and a key.',
      );
    const key = await this.keys.find(shown.id);
    if (key === undefined || !isSameHash(key.hash, shown.hash))
      throw badCredentials('The key is unknown. Ask an administrator for one (phx admin keys create).');
    return key;
  }

  private async noteUse(id: string): Promise<void> {
    const now = this.clock.now();
    if (now - (this.written.get(id) ?? -Infinity) < useEveryMs) return;
    this.written.set(id, now);
    await this.uses.used(id, isoTime(this.clock));
  }
}
