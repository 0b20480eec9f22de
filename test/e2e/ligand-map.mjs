// Runs ligand_map.py with the Python of the open programs: MAP MODEL DICTIONARY FOLDER.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { openProgramsDirectory } from '../../scripts/setup/paths.mjs';

execFileSync(
  path.join(openProgramsDirectory, 'venv', 'bin', 'python'),
  [path.join(import.meta.dirname, 'ligand_map.py'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
