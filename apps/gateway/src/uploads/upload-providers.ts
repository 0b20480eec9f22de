import type { Provider } from '@nestjs/common';
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
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import { UPLOAD_PARTS, type UploadParts } from './upload-parts';
import { UploadSweeper } from './upload-sweeper';

const uploadParts = {
  provide: UPLOAD_PARTS,
  inject: [UPLOAD_STORE, UPLOAD_FILES, FILE_INSPECTOR, CLOCK, GATEWAY_OPTIONS],
  useFactory: (
    store: UploadStore,
    files: UploadFiles | undefined,
    inspector: FileInspector,
    clock: Clock,
    { uploads: rules, uploadIdleMs: idleMs }: GatewayOptions,
  ): UploadParts | undefined =>
    files === undefined || rules === undefined ? undefined : { store, files, inspector, clock, rules, idleMs },
};

/** Needs UPLOAD_STORE and UPLOAD_FILES, which is undefined where nothing can be uploaded. */
export const uploadProviders: readonly Provider[] = [uploadParts, UploadSweeper];
