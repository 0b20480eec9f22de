// The bill of materials of an image, package by package, as a CycloneDX document that syft makes from the image's layers.
import fs from 'node:fs';
import path from 'node:path';
import { ensureOnDemand } from '../cluster/binaries.mjs';
import { run } from '../setup/commands.mjs';
import { step } from '../setup/progress.mjs';
import { writeArchive } from './buildah.mjs';
import { imageCache } from './index-file.mjs';

/** Stops syft from checking the internet for a newer release of itself. */
const environment = () => ({ ...process.env, SYFT_CHECK_FOR_APP_UPDATE: 'false' });

/**
 * Writes the bill of materials of an image of the index: Debian's packages, npm packages, Python distributions and Node, each with
 * version, licences and package URL (CycloneDX JSON). Returns the file's path; an interrupted run leaves no file of that name.
 */
export async function writeBill(entry, folder) {
  const syft = await ensureOnDemand('syft');
  const file = path.join(folder, `${entry.name}-${entry.tag}.cdx.json`);
  const partial = `${file}.partial`;
  const archive = path.join(imageCache, `bill-${entry.name}-${process.pid}.tar`);
  fs.mkdirSync(folder, { recursive: true });
  await step(`bill of materials of ${entry.reference}`, async () => {
    try {
      await writeArchive(entry.reference, archive);
      const source = ['--source-name', `phenix-fleet/${entry.name}`, '--source-version', entry.tag];
      const output = ['--quiet', '--output', `cyclonedx-json=${partial}`];
      await run(syft, ['scan', `docker-archive:${archive}`, ...source, ...output], {
        env: environment(),
        what: 'syft',
      });
      fs.renameSync(partial, file);
      return { note: `${JSON.parse(fs.readFileSync(file, 'utf8')).components.length} entries` };
    } finally {
      fs.rmSync(archive, { force: true });
      fs.rmSync(partial, { force: true });
    }
  });
  return file;
}
