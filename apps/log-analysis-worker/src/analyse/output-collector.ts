import { stat } from 'node:fs/promises';
import { isFault, type Fault, type SessionFile } from '@fleet/contracts';
import { listOutputs } from '@fleet/file-inspection';
import type { FileInspector } from '@fleet/ports';

/** What a program left, and what is wrong with it. */
export interface CollectedOutputs {
  readonly files: readonly SessionFile[];
  /** One sentence per file that cannot be used, or about files that were left out. */
  readonly warnings: readonly string[];
}

/** Reports and pictures that are kept in the record beside the crystallographic files. */
const mostOthers = 50;
/** Warnings about single files; more of them say nothing new. */
const mostWarnings = 20;

const costly: ReadonlySet<string> = new Set(['file.inspection_timeout', 'file.inspection_failed']);
/** Files that a reader could not cope with, until the rest is not looked at: each has cost its whole time limit. */
const mostFailures = 3;

const isCrystallographic = ({ facts }: SessionFile): boolean => facts.format !== 'text' && facts.format !== 'unknown';

const exists = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/** Finds and inspects the files in an attempt's folder. */
export class OutputCollector {
  constructor(private readonly inspector: FileInspector) {}

  /** A damaged file is a warning and is left out: the rest of the run may be perfectly good. */
  async collect(
    folder: string,
    origin: { readonly cycle: number; readonly program: string },
  ): Promise<CollectedOutputs> {
    if (!(await exists(folder))) return { files: [], warnings: [] };
    const { paths, truncated } = await listOutputs(folder);
    const files: SessionFile[] = [];
    const warnings: string[] = truncated
      ? [`${origin.program} left more than ${paths.length} files; the rest is not looked at.`]
      : [];
    let failures = 0;
    for (const [index, path] of paths.entries()) {
      const found = await this.inspect(path, origin, folder);
      if (found instanceof Error) {
        warnings.push(`${found.message}; the file is not used.`);
        if (costly.has(found.code)) failures += 1;
      } else if (found !== undefined) files.push(found);
      if (failures < mostFailures || index === paths.length - 1) continue;
      const left = paths.length - index - 1;
      warnings.push(`${failures} files could not be read in time; the ${left} after them are not looked at.`);
      break;
    }
    const others = files.filter((file) => !isCrystallographic(file)).slice(0, mostOthers);
    return { files: [...files.filter(isCrystallographic), ...others], warnings: warnings.slice(0, mostWarnings) };
  }

  /** The file, or why it cannot be used; nothing for an empty file, which programs leave all the time. */
  private async inspect(
    path: string,
    origin: { readonly cycle: number; readonly program: string },
    folder: string,
  ): Promise<SessionFile | Fault | undefined> {
    try {
      return await this.inspector.inspect(path, origin, folder);
    } catch (error) {
      if (!isFault(error) || !error.code.startsWith('file.')) throw error;
      return error.code === 'file.empty' ? undefined : error;
    }
  }
}
