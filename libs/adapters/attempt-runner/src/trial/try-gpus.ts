import { execFile } from 'node:child_process';

/** Milliseconds: the first call on a node may load the driver. */
const timeoutMs = 20_000;

/** The GPUs that a program can use here, one line each, from `nvidia-smi`; empty without that tool. */
export const tryGpus = (): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const args = ['--query-gpu=name,memory.total,driver_version', '--format=csv,noheader'];
    execFile('nvidia-smi', args, { timeout: timeoutMs, killSignal: 'SIGKILL' }, (error, output) => {
      const lines = error === null ? output.split('\n').map((line) => line.trim()) : [];
      resolve(lines.filter((line) => line !== '').slice(0, 64));
    });
  });
