import type { Provider } from '@nestjs/common';
import { CreateKey, RevokeKey, type KeyPorts } from '@fleet/keys';
import { ACCESS_KEYS, CLOCK } from '@fleet/ports';
import { Authentication } from '../../auth/access/authentication';
import { commandsOf, portsOf } from '../commands-of';

const ports = portsOf<KeyPorts & ConstructorParameters<typeof RevokeKey>[0]>({
  keys: ACCESS_KEYS,
  clock: CLOCK,
  isOpen: { from: Authentication, pick: (authentication: Authentication) => () => authentication.isOpen() },
});

/** The commands for API keys. */
export const keyCommands: readonly Provider[] = commandsOf(ports, [CreateKey, RevokeKey]);
