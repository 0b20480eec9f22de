import { Logger, type INestApplicationContext } from '@nestjs/common';
import { BackendConfig, checkOwners, AccessConfig, GatewayConfig, StorageConfig } from '@fleet/config';
import { ACCESS_KEYS, CLOCK, type AccessKeys, type Clock } from '@fleet/ports';
import { Authentication } from './authentication';
import { accountOf } from './shared-account';
import { bindingOf, isAnyoneKnown } from './bind-rule';
import { registerInitialAdminKey } from './initial-admin-key';

/**
 * Checks before a gateway listens: the initial administrator's key is registered; a gateway with open access listens
 * only on this machine; one with access control knows who may read the raw data; and a shared account for the programs
 * of all proposals was accepted.
 * @throws ConfigError that says what to do
 */
export const prepareAccess = async (app: INestApplicationContext): Promise<void> => {
  const logger = new Logger('Access');
  const { initialAdminKeyFile, openAccess } = app.get(AccessConfig);
  const authentication = app.get(Authentication);
  if (initialAdminKeyFile !== undefined) {
    const keys = app.get<AccessKeys>(ACCESS_KEYS);
    const { workRoot } = app.get(StorageConfig);
    const known = await registerInitialAdminKey(initialAdminKeyFile, { keys, clock: app.get<Clock>(CLOCK), workRoot });
    authentication.close();
    logger.log({ message: 'the initial administrator key is known', key: known.id, revokedAt: known.revokedAt });
  }
  const anyoneKnown = await isAnyoneKnown(authentication);
  if (anyoneKnown) {
    checkOwners(app.get(StorageConfig));
    const shared = accountOf(app.get(BackendConfig), app.get(AccessConfig));
    if (shared !== undefined) logger.warn(shared);
  }
  const notice = bindingOf({ host: app.get(GatewayConfig).host, openAccess }, anyoneKnown);
  if (notice !== undefined) logger[notice.level](notice.message);
};
