import { FolderVariable, IntegerVariable } from './variable.decorator';

/** File uploads (docs/uploads.md). Read only by the gateway. */
export class UploadsConfig {
  @FolderVariable('FLEET_UPLOAD_ROOT', {
    what: 'files that people upload go below this folder, <folder>/<proposal>/<name>; it is one of FLEET_DATA_ROOTS or lies in one, not in the work folder, and no other installation has it. Without it nothing can be uploaded',
    optional: true,
  })
  readonly root?: string;

  @IntegerVariable('FLEET_UPLOAD_MAX_FILE_MIB', {
    what: 'MiB of the largest file that may be uploaded',
    default: '4096',
    min: 1,
    max: 1024 * 1024,
  })
  readonly maxFileMib: number;

  @IntegerVariable('FLEET_UPLOAD_MAX_DAY_MIB', {
    what: 'MiB that may be uploaded to one proposal in 24 hours, over all gateways; what is refused counts as well',
    default: '51200',
    min: 1,
    max: 1024 * 1024 * 1024,
  })
  readonly maxDayMib: number;

  @IntegerVariable('FLEET_UPLOAD_KEEP_HOURS', {
    what: 'hours after its last piece that a file which is not whole can still be continued; then it is removed',
    default: '48',
    min: 1,
    max: 720,
  })
  readonly keepHours: number;
}
