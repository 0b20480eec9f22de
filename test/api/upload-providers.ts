import type { Provider } from '@nestjs/common';
import { UPLOAD_FILES, UPLOAD_STORE, type UploadFiles, type UploadStore } from '@fleet/ports';
import { UploadFolder } from '@fleet/session-folder';
import type { HarnessOptions } from './harness-options';

const plainFiles = (data: string): UploadFiles => new UploadFolder(data);

/** What uploads need; no files where `options.uploads` allows none. */
export const uploadProviders = (
  { options, uploadFiles = plainFiles }: HarnessOptions,
  store: UploadStore,
  data: string,
): Provider[] => [
  { provide: UPLOAD_STORE, useValue: store },
  { provide: UPLOAD_FILES, useFactory: () => (options?.uploads === undefined ? undefined : uploadFiles(data)) },
];
