import type { SessionFile } from '@fleet/contracts';
import type { FileInspector, FileOrigin } from '@fleet/ports';
import { factsOf } from './file-format';
import { withFile, type FileSource } from './file-source';

/** Looks into files: headers and bounded parts only; and pins them, through the same open file. */
export class ContentFileInspector implements FileInspector {
  inspect(path: string, origin: FileOrigin, root?: string): Promise<SessionFile> {
    const look = async (source: FileSource): Promise<SessionFile> => {
      const facts = await factsOf(source);
      const pin = await source.pin();
      return { path, size: source.size, ...origin, ...(pin !== undefined && { pin }), facts };
    };
    return withFile(path, look, root);
  }
}
