import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFault } from '@fleet/contracts/faults';
import { useFolder } from '@fleet/testing';
import { nastyFiles } from './nasty-files';
import { inspector as realInspector } from '../support/inspector';

const folder = useFolder('file');

// A reader that goes back over its input would take hours here. How time grows with size, file-readers.long-spec.ts measures.
it.each(Object.entries(nastyFiles))('is read to its end: %s', async (_, { name, make }) => {
  const path = join(folder, name);
  writeFileSync(path, make(1_000_000));
  const read = realInspector.inspect(path, { cycle: 0 });
  await read.catch((error: unknown) => {
    if (!isFault(error) || error.kind !== 'caller') throw error;
  });
});
