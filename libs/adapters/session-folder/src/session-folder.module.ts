import { dataRootsOf, StorageConfig } from '@fleet/config';
import {
  ACCESS_KEY_FILES,
  ASSESSMENTS,
  LOG_SUMMARIES,
  MODEL_REPLIES,
  SESSION_FOLDER,
  WEBHOOK_FILES,
} from '@fleet/ports';
import { Global, Logger, Module } from '@nestjs/common';
import { AccessKeyFolder } from './access-key-folder';
import { readInstallationKeys } from './installation-keys';
import { ModelReplyFolder } from './model-reply-folder';
import { SessionFolder, type SessionFolderOptions } from './session-folder';
import { WebhookFolder } from './webhook-folder';
import { AssessmentFolder, LogSummaryFolder } from './writing-folder';
import { WorkRootProbe } from './work-root.probe';

const withoutKey =
  'FLEET_INSTALLATION_KEY_FILE is not set: session.json is written without a signature, and after a loss of the database phx recover can restore sessions only with --trust.';

const FOLDER_OPTIONS = Symbol('SessionFolderOptions');

const optionsOf = (storage: StorageConfig): Required<SessionFolderOptions> => {
  const logger = new Logger('SessionFolder');
  const keys = readInstallationKeys(storage.installationKeyFile, storage.workRoot);
  if (keys.length === 0) logger.warn(withoutKey);
  return {
    dataRoots: dataRootsOf(storage),
    keys,
    onWarning: (message) => logger.warn(message),
  };
};

/** Provides SESSION_FOLDER, ACCESS_KEY_FILES, WEBHOOK_FILES, MODEL_REPLIES, ASSESSMENTS, LOG_SUMMARIES and WorkRootProbe to the whole application. Needs StorageConfig from ConfigModule. */
@Global()
@Module({
  providers: [
    { provide: FOLDER_OPTIONS, inject: [StorageConfig], useFactory: optionsOf },
    ...(
      [
        [SESSION_FOLDER, SessionFolder],
        [ACCESS_KEY_FILES, AccessKeyFolder],
        [WEBHOOK_FILES, WebhookFolder],
        [MODEL_REPLIES, ModelReplyFolder],
        [ASSESSMENTS, AssessmentFolder],
        [LOG_SUMMARIES, LogSummaryFolder],
      ] as const
    ).map(([provide, Kind]) => ({
      provide,
      inject: [StorageConfig, FOLDER_OPTIONS],
      useFactory: ({ workRoot }: StorageConfig, options: Required<SessionFolderOptions>) => new Kind(workRoot, options),
    })),
    {
      provide: WorkRootProbe,
      inject: [StorageConfig],
      useFactory: ({ workRoot }: StorageConfig) => new WorkRootProbe(workRoot),
    },
  ],
  exports: [SESSION_FOLDER, ACCESS_KEY_FILES, WEBHOOK_FILES, MODEL_REPLIES, ASSESSMENTS, LOG_SUMMARIES, WorkRootProbe],
})
export class SessionFolderModule {}
