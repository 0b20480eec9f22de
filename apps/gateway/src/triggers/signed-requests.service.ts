import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '@fleet/contracts';
import { CLOCK, TRIGGER_SECRETS, type Clock, type TriggerSecrets } from '@fleet/ports';
import { Authentication } from '../access/authentication';
import { setPrincipal } from '../access/principal-of';
import { RequestLimiter } from '../access/request-limiter';
import { noteForAudit } from '../audit/audit-note';
import { ApiError } from '../errors/problem-details';
import { clientAddress } from '../http/client-address';
import type { HttpRequest } from '../http/http-types';
import { isSignedWith, readSignature, type SignedMessage } from './read-signature';
import { signedBytes } from './signed-bytes';

/** Says who has signed a request. */
@Injectable()
export class SignedRequests {
  constructor(
    @Inject(TRIGGER_SECRETS) private readonly secrets: TriggerSecrets,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly authentication: Authentication,
    private readonly limiter: RequestLimiter,
  ) {}

  /**
   * Whose key it is, once the signature is right; an address may be wrong only so often.
   * @throws ApiError `access.bad_credentials`, `request.too_many`, or `access.members_unavailable`
   */
  async known(
    key: string,
    request: HttpRequest,
  ): Promise<{ readonly principal: Principal; readonly message: SignedMessage }> {
    const message = readSignature(request.headers, this.clock.now());
    if ('why' in message) return this.refuse(request, message.why);
    if (!isSignedWith(message, signedBytes(request), this.secrets.of(key)))
      return this.refuse(request, 'the signature is not that of this key over these bytes');
    const principal = await this.authentication.signerOf(key);
    setPrincipal(request, principal);
    return { principal, message };
  }

  private async refuse(request: HttpRequest, why: string): Promise<never> {
    noteForAudit(request, { denied: true });
    await this.limiter.admitStranger(clientAddress(request));
    throw new ApiError('access.bad_credentials', `Nothing was started: ${why}.`);
  }
}
