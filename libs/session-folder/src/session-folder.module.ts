import { StorageConfig } from '@fleet/config';
import { SESSION_FOLDER } from '@fleet/ports';
import { Logger, Module } from '@nestjs/common';
import { readInstallationKeys } from './installation-keys';
import { SessionFolder } from './session-folder';

const withoutKey =
  'FLEET_INSTALLATION_KEY_FILE is not set: session.json is written without a signature, and after a loss of Redis phx recover brings sessions back only with --trust.';

const folderOf = ({ workRoot, dataRoots, installationKeyFile }: StorageConfig): SessionFolder => {
  const logger = new Logger('SessionFolder');
  const keys = readInstallationKeys(installationKeyFile, workRoot);
  if (keys.length === 0) logger.warn(withoutKey);
  return new SessionFolder(workRoot, {
    dataRoots,
    keys,
    onWarning: (message) => {
      logger.warn(message);
    },
  });
};

/** Provides SESSION_FOLDER. Needs StorageConfig from ConfigModule. */
@Module({
  providers: [{ provide: SESSION_FOLDER, inject: [StorageConfig], useFactory: folderOf }],
  exports: [SESSION_FOLDER],
})
export class SessionFolderModule {}
