import { StorageConfig } from '@fleet/config';
import { SESSION_FOLDER } from '@fleet/ports';
import { Module } from '@nestjs/common';
import { SessionFolder } from './session-folder';

/** Provides SESSION_FOLDER. Needs StorageConfig from ConfigModule. */
@Module({
  providers: [
    {
      provide: SESSION_FOLDER,
      inject: [StorageConfig],
      useFactory: ({ workRoot }: StorageConfig) => new SessionFolder(workRoot),
    },
  ],
  exports: [SESSION_FOLDER],
})
export class SessionFolderModule {}
