import type { Fault, SessionFile } from '@fleet/contracts';
import type { FileOrigin } from '@fleet/ports';

/** What a thread is asked; it has to survive a structured clone. */
export interface InspectionTask {
  readonly path: string;
  readonly origin: FileOrigin;
  readonly root?: string;
}

/** What a thread answers. An Error would lose its fields on the way, so that a Fault travels as its parts. */
export type InspectionAnswer =
  { readonly file: SessionFile } | { readonly fault: Pick<Fault, 'code' | 'kind' | 'message' | 'problems'> };
