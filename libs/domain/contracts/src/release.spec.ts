import { readFileSync } from 'node:fs';
import { releaseVersion } from './release';

it('the version that is told is that of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(releaseVersion).toBe(version);
});
