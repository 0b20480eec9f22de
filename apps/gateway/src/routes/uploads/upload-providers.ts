import { Logger, type Provider } from '@nestjs/common';
import {
  CLOCK,
  FILE_INSPECTOR,
  UPLOAD_FILES,
  UPLOAD_STORE,
  type Clock,
  type FileInspector,
  type UploadFiles,
  type UploadStore,
} from '@fleet/ports';
import { Uploads } from '@fleet/uploads';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { UploadSweeper } from './upload-sweeper';

const uploads = {
  provide: Uploads,
  inject: [UPLOAD_STORE, UPLOAD_FILES, FILE_INSPECTOR, CLOCK, GATEWAY_OPTIONS],
  useFactory: (
    store: UploadStore,
    files: UploadFiles | undefined,
    inspector: FileInspector,
    clock: Clock,
    { uploads: rules, uploadIdleMs: idleMs }: GatewayOptions,
  ): Uploads | undefined =>
    files === undefined || rules === undefined
      ? undefined
      : new Uploads({ store, files, inspector, clock, rules, idleMs, log: new Logger('Uploads') }),
};

/** Needs UPLOAD_STORE and UPLOAD_FILES, which is undefined if uploads are disabled. */
export const uploadProviders: readonly Provider[] = [uploads, UploadSweeper];
