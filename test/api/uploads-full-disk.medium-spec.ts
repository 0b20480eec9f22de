import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UploadFolder } from '@fleet/session-folder';
import { useSmallDisk } from '@fleet/testing';
import { someReflections } from './gateway-harness';
import { sha256Of } from './upload-client';
import { codeOf, mtz, Uploading, uploadRules } from './upload-harness';

const disk = useSmallDisk(2);

describe('an upload to a full disk', () => {
  it('keeps received bytes, and continues when space is free', async () => {
    const bytes = Buffer.from(someReflections + '   1   0   3   134.5     4.5\n'.repeat(50_000));
    const filler = join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(1024 * 1024));
    const uploads = { ...uploadRules, maxFileBytes: bytes.length };
    const { gateway, client } = await Uploading.start({
      options: { uploads },
      uploadFiles: () => new UploadFolder(disk),
    });
    try {
      const id = await client.begun({ ...mtz, sha256: sha256Of(bytes) }, bytes.length);
      expect(await codeOf(await client.chunk(id, 0, bytes))).toEqual([507, 'upload.no_space']);
      const offset = await client.offset(id);
      expect(offset).toBeGreaterThan(500_000);
      expect(offset).toBeLessThan(bytes.length);
      expect(await codeOf(await client.chunk(id, offset, bytes.subarray(offset)))).toEqual([507, 'upload.no_space']);
      expect(await client.offset(id)).toBeGreaterThanOrEqual(offset);
      rmSync(filler);
      const from = await client.offset(id);
      expect((await client.chunk(id, from, bytes.subarray(from))).status).toBe(204);
      expect(sha256Of(readFileSync(join(disk, 'mx1', mtz.filename)))).toBe(sha256Of(bytes));
    } finally {
      await gateway.stop();
    }
  });
});
