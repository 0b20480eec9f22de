import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandOf, configOf, type ImageConfig } from './built-images';

interface StartOptions {
  /** In place of the image's CMD, as `args` of a pod. */
  readonly args?: readonly string[];
  /** In place of the image's ENTRYPOINT, as `command` of a pod. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** Folders of this machine, writable, at the same path inside. */
  readonly folders?: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const argumentsOf = (config: ImageConfig, { command, args }: StartOptions): readonly string[] => {
  const image = { entry: config.Entrypoint ?? [], rest: config.Cmd ?? [] };
  // A pod's `command` does away with both the image's ENTRYPOINT and its CMD.
  if (command !== undefined) return [...command, ...(args ?? [])];
  return [...image.entry, ...(args ?? image.rest)];
};

const processOf = (config: ImageConfig, options: StartOptions): object => {
  const uid = options.uid ?? Number(config.User.split(':')[0]);
  const env = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value}`);
  return {
    user: { uid, gid: uid },
    args: argumentsOf(config, options),
    env: [...config.Env, ...env],
    cwd: config.WorkingDir || '/',
    capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
    noNewPrivileges: true,
  };
};

const runtimeConfig = (root: string, config: ImageConfig, options: StartOptions): object => ({
  ociVersion: '1.0.2',
  process: processOf(config, options),
  root: { path: root, readonly: true },
  mounts: [
    { destination: '/proc', type: 'proc', source: 'proc' },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
    ...(options.folders ?? []).map((folder) => ({
      destination: folder,
      type: 'bind',
      source: folder,
      options: ['bind', 'rw'],
    })),
  ],
  // The network is this machine's, so that a service finds the test's Redis on the loopback interface.
  linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
});

/**
 * An image unpacked once and run as a pod under Pod Security "restricted" runs it: read-only root, no capability, no new privileges,
 * an empty /tmp, the given uid.
 */
export class UnpackedImage {
  private readonly bundles: string[] = [];
  private serial = 0;

  private constructor(
    readonly config: ImageConfig,
    private readonly container: string,
    readonly root: string,
  ) {}

  static async of(reference: string): Promise<UnpackedImage> {
    const config = await configOf(reference);
    const container = (await commandOf('buildah', ['from', '--pull-never', reference])).trim();
    return new UnpackedImage(config, container, (await commandOf('buildah', ['mount', container])).trim());
  }

  /** Starts a container; its first process is what the image or `options` name. */
  start(options: StartOptions = {}): RunningContainer {
    const bundle = mkdtempSync(path.join(tmpdir(), 'fleet-bundle-'));
    this.bundles.push(bundle);
    writeFileSync(path.join(bundle, 'config.json'), JSON.stringify(runtimeConfig(this.root, this.config, options)));
    this.serial += 1;
    return new RunningContainer(
      `fleet-test-${String(process.pid)}-${String(Date.now())}-${String(this.serial)}`,
      bundle,
    );
  }

  run(options: StartOptions): Promise<Ended> {
    return this.start(options).ended;
  }

  /** What a shell inside prints and how it ends. */
  shell(script: string, options: StartOptions = {}): Promise<Ended> {
    return this.run({ ...options, command: ['/bin/sh', '-c', script], args: [] });
  }

  async dispose(): Promise<void> {
    await commandOf('buildah', ['rm', this.container]);
    for (const bundle of this.bundles) rmSync(bundle, { recursive: true, force: true });
  }
}

export class RunningContainer {
  readonly ended: Promise<Ended>;
  private text = '';
  private readonly process: ChildProcess;

  constructor(
    private readonly id: string,
    bundle: string,
  ) {
    this.process = spawn('runc', ['run', '--bundle', bundle, id], { stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (data: Buffer): void => {
      this.text += data.toString();
    };
    this.process.stdout?.on('data', keep);
    this.process.stderr?.on('data', keep);
    this.ended = new Promise((resolve, reject) => {
      this.process.once('error', reject);
      this.process.once('close', (code) => resolve({ code, output: this.text }));
    });
  }

  get output(): string {
    return this.text;
  }

  /** Sends a signal to the container's first process, as a kubelet does. */
  async signal(name: string): Promise<void> {
    await commandOf('runc', ['kill', this.id, name]);
  }
}
