// Runs one program of a check.
import { spawn } from 'node:child_process';
import { checkout, toolPath } from '../setup/paths.mjs';

const environment = () => ({ ...process.env, PATH: toolPath(), FORCE_COLOR: '0' });

/**
 * Returns true if the program ends with exit code 0.
 * @param options.output where the program prints: the terminal, or the descriptor of an open file
 */
export function execute(command, args, { cwd = checkout, env = {}, output = 'inherit' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...environment(), ...env },
      stdio: ['ignore', output, output],
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}
