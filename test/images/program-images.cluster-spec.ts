/** @needs buildah @needs root @needs linux */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { foldersOf, runAttemptArguments } from '@fleet/attempt-runner';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { prepareAttempt, useFolder } from '@fleet/testing';
import { buildImages, commandOf, type BuiltImage } from './built-images';
import { UnpackedImage } from './container';

const node = '/opt/phenix-fleet/node';
/** In no list of users of any image. */
const stranger = 43_210;

const aSpec = (root: string, argv: readonly string[]): RunSpec => {
  const sessionFolder = path.join(root, 'session');
  mkdirSync(sessionFolder, { recursive: true });
  chmodSync(sessionFolder, 0o777);
  return {
    name: 'session-c001-a1',
    sessionFolder,
    attemptFolder: 'c001-program/a1',
    program: 'phenix.xtriage',
    argv,
    owner: { sessionId: 'session', cycle: 1, attempt: 1, proposal: 'mx1', beamline: 'i04', priority: 'standard' },
    resources: { class: 'cpu', cpus: 1, mayFallBack: false },
    limits: { wallClock: 120, memoryMiB: 4096, outputBytes: 1024 * 1024 },
  };
};

/** Runs an attempt as a pod does: the image's own runner, as the stranger, in a folder that is mounted at its own path. */
const attempt = async (
  image: UnpackedImage,
  root: string,
  argv: readonly string[],
): Promise<{ log: string; result: unknown }> => {
  const spec = aSpec(root, argv);
  prepareAttempt(spec);
  await commandOf('chown', ['-R', `${String(stranger)}:${String(stranger)}`, spec.sessionFolder]);
  const { code, output } = await image.run({
    command: [node, '/opt/phenix-fleet/run-attempt.js'],
    args: runAttemptArguments(spec),
    uid: stranger,
    folders: [root],
  });
  expect({ code, output }).toMatchObject({ code: 0 });
  const { published } = foldersOf(spec);
  return {
    log: readFileSync(path.join(published, attemptFiles.log), 'utf8'),
    result: JSON.parse(readFileSync(path.join(published, attemptFiles.result), 'utf8')),
  };
};

const probe = async (image: UnpackedImage, root: string, args: readonly string[]): Promise<unknown> => {
  const out = path.join(root, 'programs.json');
  const names = 'phenix.refine,phenix.xtriage,phenix.autosol';
  const { code, output } = await image.run({
    command: [node, '/opt/phenix-fleet/probe-programs.js', '--programs', names, '--out', out, ...args],
    args: [],
    uid: stranger,
    folders: [root],
  });
  expect({ code, output }).toMatchObject({ code: 0 });
  return JSON.parse(readFileSync(out, 'utf8'));
};

describe('the program images', () => {
  let built: Readonly<Record<string, BuiltImage>>;
  const root = useFolder();

  beforeAll(async () => {
    built = await buildImages('runner', 'open-phenix');
  });

  beforeEach(() => chmodSync(root, 0o777));

  const inImage = async (name: string, work: (image: UnpackedImage) => Promise<void>): Promise<void> => {
    const image = await UnpackedImage.of(built[name]!.reference);
    try {
      await work(image);
    } finally {
      await image.dispose();
    }
  };

  it('the runner runs an attempt as an unknown user, and copies itself for other images', async () => {
    await inImage('runner', async (image) => {
      expect(image.config.User).toBe('10001:10001');
      const { log, result } = await attempt(image, root, ['/bin/sh', '-c', 'id -u; echo done']);
      expect(log).toContain(`${String(stranger)}\ndone\n`);
      expect(result).toMatchObject({ ending: { kind: 'exited', exitCode: 0 } });
      const copy = path.join(root, 'copy');
      const copied = await image.shell(`cp -r /opt/phenix-fleet ${copy} && ${copy}/node ${copy}/run-attempt.js`, {
        folders: [root],
      });
      expect(copied.output).toContain('usage: run-attempt');
    });
  });

  it('open-phenix lists the programs of its labels, real and simulated ones separately', async () => {
    await inImage('open-phenix', async (image) => {
      const real = await image.shell('open-phenix list --json', { uid: stranger });
      const simulated = await image.shell('open-phenix-simulated --list --json', { uid: stranger });
      const names = (text: string): string =>
        (JSON.parse(text) as { name: string }[])
          .map(({ name }) => name.replace(/^phenix\./, ''))
          .sort()
          .join(' ');
      expect(names(real.output)).toBe(image.config.Labels['io.phenix-fleet.programs.real']);
      expect(names(simulated.output)).toBe(image.config.Labels['io.phenix-fleet.programs.simulated']);
    });
  });

  it('open-phenix runs a real program with a read-only root, and finds every library of its engines', async () => {
    await inImage('open-phenix', async (image) => {
      const imports =
        'import open_phenix.xray, servalcat, coot_headless_api, gemmi, powerfit_em, matplotlib.pyplot; print("all")';
      const engines = await image.shell(`/opt/open-phenix/venv/bin/python -c '${imports}'`, { uid: stranger });
      expect(engines.output.trim().split('\n').at(-1)).toBe('all');
      const { log } = await attempt(image, root, ['/opt/open-phenix/bin/phenix.pdbtools', '--help']);
      expect(log).toContain('phenix.pdbtools');
      expect(await probe(image, root, ['--open-phenix', '/opt/open-phenix'])).toMatchObject({
        programs: [
          { program: 'phenix.refine', provider: 'open-phenix' },
          { program: 'phenix.xtriage', provider: 'open-phenix' },
          { program: 'phenix.autosol', provider: 'simulated' },
        ],
        warnings: [],
      });
    });
  });

  it('contain no installer, tests or settings of the build machine', async () => {
    await inImage('open-phenix', async (image) => {
      const { output } = await image.shell(
        'for tool in pip gcc git npm; do command -v $tool; done; ls -d /opt/open-phenix/venv/bin/pip* /src /root/.cache /etc/pip.conf ' +
          '/etc/apt/apt.conf.d/00-build-host /opt/open-phenix/venv/lib/python3*/site-packages/pandas/tests 2>/dev/null; echo nothing',
      );
      expect(output.trim()).toBe('nothing');
    });
  });

  describe("the template for a facility's PHENIX", () => {
    const tag = `test-${String(process.pid)}`;
    const reference = `localhost/phenix-fleet/phenix:${tag}`;

    const build = (...args: readonly string[]): Promise<string> =>
      commandOf(process.execPath, ['scripts/images.mjs', 'phenix', '--tag', tag, ...args]);

    /** Not PHENIX: three shell scripts that lie where its commands do. */
    const miniature = `#!/bin/sh
set -e
bin="\${1#--prefix=}/phenix-0.0-9999/build/bin"
mkdir -p "$bin"
for name in refine xtriage; do printf '#!/bin/sh\\necho "a test fixture"\\n' > "$bin/phenix.$name"; done
printf '#!/bin/sh\\necho "Version: 0.0"; echo "Release tag: 9999"\\n' > "$bin/phenix.version"
chmod 755 "$bin"/*
`;
    const expected = {
      programs: ['phenix.refine', 'phenix.xtriage'].map((program) => ({
        program,
        provider: 'phenix',
        version: 'PHENIX 0.0-9999',
        command: [`/opt/phenix/build/bin/${program}`],
      })),
      warnings: [],
    };

    afterEach(() => commandOf('buildah', ['rmi', reference]));

    const check = async (): Promise<void> => {
      const image = await UnpackedImage.of(reference);
      try {
        expect(await probe(image, root, ['--phenix', '/opt/phenix'])).toMatchObject(expected);
      } finally {
        await image.dispose();
      }
    };

    it('installs from an installer, and the probe finds it', async () => {
      const installer = path.join(root, 'phenix-installer-0.0');
      mkdirSync(installer);
      writeFileSync(path.join(installer, 'install'), miniature, { mode: 0o755 });
      const context = path.join(root, 'context');
      mkdirSync(context);
      await commandOf('tar', [
        'czf',
        path.join(context, 'phenix-installer-0.0.tar.gz'),
        '-C',
        root,
        'phenix-installer-0.0',
      ]);
      await build(context);
      await check();
    });

    it('copies an installed tree to its original path, and the probe finds it', async () => {
      writeFileSync(path.join(root, 'install'), miniature, { mode: 0o755 });
      await commandOf(path.join(root, 'install'), [`--prefix=${root}`]);
      await build(path.join(root, 'phenix-0.0-9999'), '--installed-at', '/opt/phenix-0.0-9999');
      await check();
    });
  });
});
