import { readFileSync } from 'node:fs';
import { releaseVersion } from './release';

describe('the release version', () => {
  it('is that of package.json', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(releaseVersion).toBe(version);
  });

  it('is that of the chart and of the images it installs', () => {
    const chart = readFileSync('helm/phenix-fleet/Chart.yaml', 'utf8');
    const versions = [...chart.matchAll(/^(?:version|appVersion): (\S+)$/gm)].map(([, version]) => version);
    expect(versions).toEqual([releaseVersion, releaseVersion]);
  });

  it('has a section in the changelog', () => {
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## [${releaseVersion}] - `);
  });
});
