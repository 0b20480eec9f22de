import { StorageConfig } from '@fleet/config';
import { SESSION_FOLDER } from '@fleet/ports';
import { Global, Logger, Module } from '@nestjs/common';
import { readInstallationKeys } from './installation-keys';
import { SessionFolder } from './session-folder';
import { WorkRootProbe } from './work-root.probe';

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

/** Provides SESSION_FOLDER and WorkRootProbe to the whole application. Needs StorageConfig from ConfigModule. */
@Global()
@Module({
  providers: [
    { provide: SESSION_FOLDER, inject: [StorageConfig], useFactory: folderOf },
    {
      provide: WorkRootProbe,
      inject: [StorageConfig],
      useFactory: ({ workRoot }: StorageConfig) => new WorkRootProbe(workRoot),
    },
  ],
  exports: [SESSION_FOLDER, WorkRootProbe],
})
export class SessionFolderModule {}
