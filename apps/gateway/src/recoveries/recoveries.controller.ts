import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import {
  CLOCK,
  SESSION_FOLDER,
  SESSION_STORE,
  type Clock,
  type SessionFolderPort,
  type SessionStore,
} from '@fleet/ports';
import { recoverSessions, type RecoveryReport } from '@fleet/recovery';
import { RecoveriesDocs } from '../openapi/service-docs';

@Controller('v1/recoveries')
export class RecoveriesController {
  constructor(
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    @Inject(SESSION_FOLDER) private readonly folders: SessionFolderPort,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Rebuilds sessions from the files in the work root, after Redis lost them. A sweeper wakes those that have not ended. */
  @Post()
  @HttpCode(200)
  @RecoveriesDocs()
  recover(): Promise<RecoveryReport> {
    return recoverSessions({ store: this.store, folders: this.folders, clock: this.clock });
  }
}
