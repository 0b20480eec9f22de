import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { probePrograms, type ProbeOptions } from './installed-programs';

const top = useFolder('file');
let serial = 0;

const aFolder = (files: Readonly<Record<string, string>>): string => {
  serial += 1;
  const folder = join(top, String(serial), 'tools');
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  }
  return folder;
};

const printing = (text: string): string => `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`;
const launcher = (name: string): string => `#!/bin/sh\nexec python3 -I -m open_phenix ${name} "$@"\n`;
const entry = (name: string, more: object = {}): object => ({
  name,
  engine: 'Servalcat',
  engineVersion: '0.4.142',
  kitVersion: '0.1.0',
  available: true,
  reason: null,
  notHonoured: [],
  ...more,
});
const aKit = (entries: readonly object[], more: Readonly<Record<string, string>> = {}): string =>
  aFolder({
    'bin/open-phenix': printing(JSON.stringify(entries)),
    'bin/phenix.refine': launcher('phenix.refine'),
    'bin/phenix.phaser': launcher('phenix.phaser'),
    ...more,
  });

const programs = ['phenix.refine', 'phenix.phaser', 'phenix.autosol'];

const probe = async (options: Partial<ProbeOptions>) => {
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const environment = { PATH: '/usr/bin:/bin' };
  const found = await probePrograms({ programs, searchFolders: [], onWarning, ...options }, environment);
  return {
    found: found.map(({ program, provider, version }) => `${program} ${provider} ${version}`),
    all: found,
    warnings,
  };
};

describe('installed programs', () => {
  it('are none on an empty machine', async () => {
    expect(await probe({ searchFolders: ['/no/such/folder'] })).toMatchObject({ found: [], warnings: [] });
  });

  it('come from a configured PHENIX before the one on PATH, and from the kit for what both lack', async () => {
    const answer = 'PHENIX: Python-based Hierarchical ENvironment\n  Version: 1.21.2\n  Release tag: 5419';
    const phenix = aFolder({ 'build/bin/phenix.refine': '#!/bin/sh\n', 'build/bin/phenix.version': printing(answer) });
    const onPath = aFolder({ 'phenix.refine': '#!/bin/sh\n', 'phenix.version': printing('Version: 1.19') });
    const kit = aKit([entry('phenix.refine'), entry('phenix.phaser')]);
    const { found, all, warnings } = await probe({
      phenixFolder: phenix,
      searchFolders: [onPath],
      openPhenixFolder: kit,
    });
    expect(found).toEqual(['phenix.refine phenix PHENIX 1.21.2-5419', 'phenix.phaser open-phenix Servalcat 0.4.142']);
    expect(all[0]!.command).toEqual([join(phenix, 'build/bin/phenix.refine')]);
    expect(all[1]!.command).toEqual([join(kit, 'bin/phenix.phaser')]);
    expect(warnings).toEqual([]);
  });

  it('come from the kit also when its launchers are linked into PATH under PHENIX names', async () => {
    const kit = aKit([entry('phenix.refine')]);
    const links = aFolder({ other: '' });
    symlinkSync(join(kit, 'bin/phenix.refine'), join(links, 'phenix.refine'));
    const { found } = await probe({ searchFolders: [links, join(kit, 'bin')] });
    expect(found).toEqual(['phenix.refine open-phenix Servalcat 0.4.142']);
  });

  it('exclude what the kit cannot run, with the reason', async () => {
    const kit = aKit([entry('phenix.refine', { available: false, reason: 'servalcat is not installed' })]);
    const { found, warnings } = await probe({ openPhenixFolder: kit });
    expect(found).toEqual([]);
    expect(warnings).toEqual(['phenix.refine of the open-phenix kit cannot run: servalcat is not installed']);
  });

  it('include a stand-in only if no real program exists', async () => {
    const kit = aKit([entry('phenix.refine')], {
      'bin/open-phenix-simulated': printing(JSON.stringify([entry('phenix.autosol'), entry('phenix.refine')])),
    });
    const { found, all } = await probe({ openPhenixFolder: kit });
    expect(found).toEqual(['phenix.refine open-phenix Servalcat 0.4.142', 'phenix.autosol simulated simulated 0.1.0']);
    expect(all[1]!.command).toEqual([join(kit, 'bin/open-phenix-simulated'), 'phenix.autosol']);
  });

  it('exclude programs that the agent does not know', async () => {
    const kit = aKit([entry('phenix.elbow')], { 'bin/phenix.elbow': launcher('phenix.elbow') });
    expect((await probe({ openPhenixFolder: kit })).found).toEqual([]);
  });
});

describe('a broken installation', () => {
  it('of PHENIX causes a warning, and the kit replaces it', async () => {
    const phenix = aFolder({ 'bin/phenix.refine': '#!/bin/sh\n', 'bin/phenix.version': '#!/bin/sh\nexit 3\n' });
    const kit = aKit([entry('phenix.refine')]);
    const { found, warnings } = await probe({ phenixFolder: phenix, openPhenixFolder: kit });
    expect(found).toEqual(['phenix.refine open-phenix Servalcat 0.4.142']);
    expect(warnings.at(-1)).toBe(`the PHENIX in ${join(phenix, 'bin')} does not run; its programs are skipped`);
  });

  it('of the kit causes a warning', async () => {
    for (const text of ['#!/bin/sh\nexit 1\n', printing('not JSON'), '#!/no/such/python\n']) {
      const { found, warnings } = await probe({ openPhenixFolder: aFolder({ 'bin/open-phenix': text }) });
      expect(found).toEqual([]);
      expect(warnings).toHaveLength(1);
    }
  });

  it('with a missing launcher loses only that program', async () => {
    const { found, warnings } = await probe({
      openPhenixFolder: aKit([entry('phenix.autosol'), entry('phenix.refine')]),
    });
    expect(found).toEqual(['phenix.refine open-phenix Servalcat 0.4.142']);
    expect(warnings[0]).toContain('phenix.autosol');
  });

  it('that is not an installation at all is reported', async () => {
    const folder = aFolder({ readme: '' });
    expect((await probe({ phenixFolder: folder })).warnings[0]).toContain('contains no PHENIX');
  });
});

describe('the version of PHENIX', () => {
  it('comes from its folder if no command reports it', async () => {
    const folder = aFolder({ 'phenix-2.0-5793/phenix_bin/phenix.refine': '#!/bin/sh\n' });
    const { found } = await probe({ phenixFolder: join(folder, 'phenix-2.0-5793') });
    expect(found).toEqual(['phenix.refine phenix PHENIX 2.0-5793']);
  });

  it('is unknown if nothing reports it', async () => {
    const { found, warnings } = await probe({ phenixFolder: aFolder({ 'bin/phenix.refine': '#!/bin/sh\n' }) });
    expect(found).toEqual(['phenix.refine phenix PHENIX (unknown version)']);
    expect(warnings[0]).toContain('does not report its version');
  });
});
