import type { Readable } from 'node:stream';
import { SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { ManifestFormat } from '@fleet/manifest';
import { ApiError } from '../errors/problem-details';
import type { HttpRequest } from '../http/http-types';

/** Media types of manifests. A web page of another origin can send none of them without being asked first. */
export const manifestTypes: Readonly<Record<string, ManifestFormat>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
};

/** A body that is read as it arrives. It has no members that anybody could take for those of an object. */
export class ManifestBody {
  readonly #bytes: Readable;
  readonly #format: ManifestFormat;

  constructor(bytes: Readable, format: ManifestFormat) {
    this.#bytes = bytes;
    this.#format = format;
  }

  get format(): ManifestFormat {
    return this.#format;
  }

  /** Reads it once; whatever its reader leaves is passed over, so that the client can hear the answer. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of this.#bytes.iterator({ destroyOnReturn: false })) yield piece as Uint8Array;
    } catch (error) {
      if (!this.#bytes.destroyed) throw error;
      throw new ApiError(
        'request.rejected',
        'The manifest did not arrive as a whole. Rows that arrived are kept; send it again.',
      );
    } finally {
      this.#bytes.resume();
    }
  }

  /** Nobody will read it. */
  passOver(): void {
    this.#bytes.resume();
  }
}

const readsManifests = 'fleet:reads-manifests';
/** An address that reads manifests; all others refuse them. */
export const ReadsManifest = (): MethodDecorator => SetMetadata(readsManifests, true);

/** Refuses a manifest where none is read. */
export class ManifestGuard implements CanActivate {
  /** @throws ApiError `request.unsupported_media_type` */
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<Pick<HttpRequest, 'body'>>();
    if (!(body instanceof ManifestBody) || Reflect.getMetadata(readsManifests, context.getHandler()) === true)
      return true;
    body.passOver();
    throw new ApiError('request.unsupported_media_type', 'This address does not read manifests; nothing was done.');
  }
}
