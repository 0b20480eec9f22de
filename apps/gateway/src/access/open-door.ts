import { Logger, type INestApplicationContext } from '@nestjs/common';
import { DoorConfig, GatewayConfig, StorageConfig } from '@fleet/config';
import { ACCESS_KEYS, CLOCK, type AccessKeys, type Clock } from '@fleet/ports';
import { Authentication } from './authentication';
import { bindingOf, isAnyoneKnown } from './bind-rule';
import { registerInitialAdminKey } from './initial-admin-key';

/**
 * What is settled before a gateway listens: the initial administrator's key is known, and a gateway that asks nobody who they are listens on
 * this machine alone.
 * @throws ConfigError that says what to do
 */
export const openDoor = async (app: INestApplicationContext): Promise<void> => {
  const logger = new Logger('Access');
  const { initialAdminKeyFile, withoutKeys } = app.get(DoorConfig);
  const authentication = app.get(Authentication);
  if (initialAdminKeyFile !== undefined) {
    const keys = app.get<AccessKeys>(ACCESS_KEYS);
    const { workRoot } = app.get(StorageConfig);
    const known = await registerInitialAdminKey(initialAdminKeyFile, { keys, clock: app.get<Clock>(CLOCK), workRoot });
    authentication.close();
    logger.log({ message: 'the initial administrator key is known', key: known.id, revokedAt: known.revokedAt });
  }
  const said = bindingOf({ host: app.get(GatewayConfig).host, withoutKeys }, await isAnyoneKnown(authentication));
  if (said !== undefined) logger[said.level](said.message);
};
