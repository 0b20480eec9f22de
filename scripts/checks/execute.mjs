// Runs one program of a check: its output goes to the terminal.
import { spawn } from 'node:child_process';
import { checkout, toolPath } from '../setup/paths.mjs';

const environment = () => ({ ...process.env, PATH: toolPath(), FORCE_COLOR: '0' });

/** True when it ended with exit code 0. */
export function execute(command, args, { cwd = checkout, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...environment(), ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}
