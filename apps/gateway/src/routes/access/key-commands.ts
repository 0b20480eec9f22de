import type { Provider } from '@nestjs/common';
import { CreateKey, RevokeKey, type KeyPorts } from '@fleet/keys';
import { ACCESS_KEYS, CLOCK } from '@fleet/ports';
import { providedObject } from '@fleet/wiring';
import { Authentication } from '../../auth/access/authentication';
import { commandsOf } from '../commands-of';

/** Whether requests need no key. */
const IS_OPEN = Symbol('IsOpen');

const ports = providedObject<KeyPorts & ConstructorParameters<typeof RevokeKey>[0]>({
  keys: ACCESS_KEYS,
  clock: CLOCK,
  isOpen: IS_OPEN,
});

/** The commands for API keys. */
export const keyCommands: readonly Provider[] = [
  {
    provide: IS_OPEN,
    inject: [Authentication],
    useFactory: (authentication: Authentication) => () => authentication.isOpen(),
  },
  ...commandsOf(ports, [CreateKey, RevokeKey]),
];
