import { FolderVariable, IntegerVariable } from './variable.decorator';

/** File uploads (docs/uploads.md). Read only by the gateway. */
export class UploadsConfig {
  @FolderVariable('FLEET_UPLOAD_ROOT', {
    what: 'folder of uploaded files, <folder>/<proposal>/<name>; must be one of FLEET_DATA_ROOTS or in one, outside the work folder, and not shared with another installation. Not set: no uploads',
    optional: true,
  })
  readonly root?: string;

  @IntegerVariable('FLEET_UPLOAD_MAX_FILE_MIB', {
    what: 'maximum size of an uploaded file in MiB',
    default: '4096',
    min: 1,
    max: 1024 * 1024,
  })
  readonly maxFileMib: number;

  @IntegerVariable('FLEET_UPLOAD_MAX_DAY_MIB', {
    what: 'MiB that may be uploaded per proposal in 24 hours, over all gateways, including refused uploads',
    default: '51200',
    min: 1,
    max: 1024 * 1024 * 1024,
  })
  readonly maxDayMib: number;

  @IntegerVariable('FLEET_UPLOAD_KEEP_HOURS', {
    what: 'hours after its last chunk that an incomplete upload can be resumed; it is then removed',
    default: '48',
    min: 1,
    max: 720,
  })
  readonly keepHours: number;
}
