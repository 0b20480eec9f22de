import { createHmac } from 'node:crypto';
import type { TriggerSecrets } from '@fleet/ports';
import type { InstallationKey } from './session-signature';

/** Secrets that are kept nowhere: they follow from a key's id and the keys of the installation, the newest first. */
export class DerivedTriggerSecrets implements TriggerSecrets {
  constructor(private readonly keys: readonly InstallationKey[]) {}

  of(keyId: string): readonly Buffer[] {
    return this.keys.map(({ secret }) =>
      createHmac('sha256', secret).update(`phenix-fleet trigger secret 1\n${keyId}`).digest(),
    );
  }
}
