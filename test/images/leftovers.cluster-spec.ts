// @needs buildah
import { randomBytes } from 'node:crypto';
import { commandOf } from './built-images';

const label = `io.phenix-fleet.test-${randomBytes(4).toString('hex')}`;
const name = `localhost/phenix-fleet/${label}`;
const buildah = async (...args: readonly string[]): Promise<string> => (await commandOf('buildah', args)).trim();

/** An image of one label and nothing else; gives its id. */
const imageWith = async (labelled: string, ...names: readonly string[]): Promise<string> => {
  const container = await buildah('from', 'scratch');
  try {
    await buildah('config', '--label', labelled, container);
    return await buildah('commit', '--quiet', container, ...names);
  } finally {
    await buildah('rm', container);
  }
};

it('removes only images that a newer build has replaced', async () => {
  const foreign = await imageWith('made.by=somebody-else');
  const replaced = await imageWith(`${label}=old`, name);
  const stage = await imageWith(`${label}=new`);
  const current = await imageWith(`${label}=new2`, name);
  try {
    const script = `import { removeReplaced } from './scripts/images/buildah.mjs'; removeReplaced('${label}', ['new', 'new2']);`;
    await commandOf(process.execPath, ['--input-type=module', '--eval', script]);
    const left = (await buildah('images', '--all', '--quiet', '--no-trunc')).replaceAll('sha256:', '').split('\n');
    expect(left).toEqual(expect.arrayContaining([foreign, stage, current]));
    expect(left).not.toContain(replaced);
  } finally {
    await buildah('rmi', foreign, stage, current);
  }
});
