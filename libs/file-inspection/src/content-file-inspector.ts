import type { SessionFile } from '@fleet/contracts';
import type { FileInspector } from '@fleet/ports';
import { factsOf } from './file-format';
import { withFile } from './file-source';

/** Looks into files: headers and bounded parts only. */
export class ContentFileInspector implements FileInspector {
  inspect(path: string, origin: { readonly cycle: number; readonly program?: string }): Promise<SessionFile> {
    return withFile(path, async (source) => ({ path, size: source.size, ...origin, facts: await factsOf(source) }));
  }
}
