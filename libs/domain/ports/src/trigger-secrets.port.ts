export const TRIGGER_SECRETS = Symbol('TriggerSecrets');

/** What programs sign their submissions with, in the place of a key that they would have to send. */
export interface TriggerSecrets {
  /** Those of an API key: a new one is given the first, all of them count. None: the installation has no key to make them from. */
  of(keyId: string): readonly Buffer[];
}
