import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const checkout = path.resolve(__dirname, '..', '..');
const limit = { maxBuffer: 64 * 1024 * 1024 };

/** An entry of the index that `npm run images` keeps. */
export interface BuiltImage {
  readonly name: string;
  readonly tag: string;
  readonly reference: string;
  readonly id: string;
  readonly key: string;
  readonly sizeBytes: number;
  readonly builtAt: string;
  readonly archive?: string;
}

/** What of an image's configuration says how it is started. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
  readonly StopSignal?: string;
  readonly Labels: Readonly<Record<string, string>>;
}

export const commandOf = async (command: string, args: readonly string[], cwd = checkout): Promise<string> => {
  const { stdout } = await run(command, [...args], { ...limit, cwd, env: { ...process.env, NODE_OPTIONS: '' } });
  return stdout;
};

/** Makes sure that these images are current, as anybody does: `npm run images -- build`. */
export const buildImages = async (...names: readonly string[]): Promise<Readonly<Record<string, BuiltImage>>> => {
  const args = ['scripts/images.mjs', 'build', '--json', '--only', names.join(',')];
  return JSON.parse(await commandOf(process.execPath, args)) as Readonly<Record<string, BuiltImage>>;
};

export const configOf = async (reference: string): Promise<ImageConfig> => {
  const found = JSON.parse(await commandOf('buildah', ['inspect', '--type', 'image', reference])) as {
    OCIv1: { config: ImageConfig };
  };
  return found.OCIv1.config;
};
