import type { ApiKey, Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import { isoTime, type AccessKeys, type Clock } from '@fleet/ports';

/** Revokes a key. */
export class RevokeKey {
  constructor(private readonly ports: { readonly keys: Pick<AccessKeys, 'revoke'>; readonly clock: Clock }) {}

  /** @throws Fault `key.not_found` */
  async run(id: string, principal: Principal): Promise<ApiKey> {
    const { keys, clock } = this.ports;
    const by = { revokedAt: isoTime(clock), revokedBy: principal.id };
    const revoked = /^[0-9a-z]{16}$/.test(id) ? await keys.revoke(id, by) : undefined;
    if (revoked !== undefined) return revoked;
    throw new Fault(
      'key.not_found',
      'not_found',
      `Unknown key ${JSON.stringify(id.slice(0, 64))}; see phx admin keys list.`,
    );
  }
}
