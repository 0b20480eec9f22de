// Runs phil-values.py with the Python of the open programs; cases come and answers go through the standard streams.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { openProgramsDirectory } from '../../scripts/setup/paths.mjs';

execFileSync(
  path.join(openProgramsDirectory, 'venv', 'bin', 'python'),
  [path.join(import.meta.dirname, 'phil-values.py')],
  { stdio: 'inherit' },
);
