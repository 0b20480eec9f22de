import type { ApiKey, Principal } from '@fleet/contracts/access';
import { isoTime, type AccessKeys, type Clock } from '@fleet/ports';
import { newKeyText } from './key-text';
import { readKeyRequest } from './read-key-request';

const dayMs = 24 * 60 * 60 * 1000;

/** Dependencies of creating keys. */
export interface KeyPorts {
  readonly keys: Pick<AccessKeys, 'create'>;
  readonly clock: Clock;
  /** Whether access is open: no key was ever created. */
  isOpen(): Promise<boolean>;
}

/** Creates a key. From the first one on, every caller needs one. */
export class CreateKey {
  constructor(private readonly ports: KeyPorts) {}

  /**
   * @returns the key, and its text, which is never shown again
   * @throws Fault `request.invalid`, `key.exists`
   */
  async run(body: unknown, principal: Principal): Promise<{ readonly text: string; readonly key: ApiKey }> {
    const { keys, clock } = this.ports;
    const { expires_in_days: days, ...request } = readKeyRequest(body, await this.ports.isOpen());
    const { id, text, hash } = newKeyText();
    const expiresAt = new Date(clock.now() + days * dayMs).toISOString();
    const key = { ...request, id, hash, createdAt: isoTime(clock), createdBy: principal.id, expiresAt };
    await keys.create(key);
    return { text, key };
  }
}
