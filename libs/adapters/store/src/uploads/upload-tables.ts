import type { ColumnType } from 'kysely';
import type { Upload } from '@fleet/contracts/uploads';
import type { Json } from '../json-column';

/** Uploads; all rows expire. */
export interface UploadTables {
  uploads: { id: string; version: number; upload: Json<Upload>; until: Date };
  upload_days: { proposal: string; bytes: ColumnType<string, number, number>; until: Date };
  upload_writers: { upload: string; writer: string; until: Date };
}
