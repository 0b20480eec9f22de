import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A folder of files that a test makes for its submissions. */
export class InputFolder {
  readonly path: string;

  constructor(parent: string) {
    this.path = realpathSync(mkdtempSync(path.join(parent, 'inputs-')));
  }

  write(name: string, text: string): string {
    const file = path.join(this.path, name);
    writeFileSync(file, text, 'latin1');
    return file;
  }

  copy(source: string, name = path.basename(source)): string {
    const file = path.join(this.path, name);
    copyFileSync(source, file);
    return file;
  }

  /** The model turned by a right angle about z and moved by 25 Å: it must be found again. */
  moved(source: string, name: string): string {
    return this.write(name, movedText(readFileSync(source, 'latin1')));
  }

  stop(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const column = (value: number): string => value.toFixed(3).padStart(8);

const movedText = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('ANISOU'))
    .map((line) => {
      if (!/^(ATOM {2}|HETATM)/.test(line)) return line;
      const [x = 0, y = 0, z = 0] = [30, 38, 46].map((at) => Number(line.slice(at, at + 8)));
      return `${line.slice(0, 30)}${[15 - y, x - 12, z + 16].map(column).join('')}${line.slice(54)}`;
    })
    .join('\n');
