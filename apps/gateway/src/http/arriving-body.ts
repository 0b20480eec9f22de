import type { Readable } from 'node:stream';
import { SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiError } from './errors/problem-details';
import type { HttpRequest } from './http-types';

/** A body that is read as a stream. It has no members that could be confused with those of an object. */
export class ArrivingBody {
  readonly #bytes: Readable;
  readonly #cutShort: string;

  /** @param cutShort error text for a client whose connection ended early */
  constructor(bytes: Readable, cutShort: string) {
    this.#bytes = bytes;
    this.#cutShort = cutShort;
  }

  /**
   * Reads it once. Whatever its reader leaves is drained, so that the client can receive the response.
   * @param idleMs timeout for the next data from a client, in milliseconds; absent: only the whole request has a limit
   */
  async *pieces(idleMs?: number): AsyncGenerator<Uint8Array> {
    let idle = this.watch(idleMs);
    try {
      for await (const piece of this.#bytes.iterator({ destroyOnReturn: false })) {
        // Processing the chunk may take any time.
        clearTimeout(idle);
        yield piece as Uint8Array;
        idle = this.watch(idleMs);
      }
    } catch (error) {
      if (!this.#bytes.destroyed) throw error;
      throw new ApiError('request.rejected', this.#cutShort);
    } finally {
      clearTimeout(idle);
      this.#bytes.resume();
    }
  }

  /** Drains a body that will not be read. */
  passOver(): void {
    this.#bytes.resume();
  }

  private watch(idleMs: number | undefined): NodeJS.Timeout | undefined {
    if (idleMs === undefined) return undefined;
    return setTimeout(() => {
      this.#bytes.destroy(new Error('the client sends nothing'));
    }, idleMs);
  }
}

const readsKind = 'fleet:reads-arriving-body';
/** Marks a route that streams such bodies; all others reject them. */
export const ReadsArriving = (kind: typeof ArrivingBody): MethodDecorator => SetMetadata(readsKind, kind);

/** Rejects a streamed body on a route that does not read it. */
export class ArrivingBodyGuard implements CanActivate {
  /** @throws ApiError `request.unsupported_media_type` */
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<Pick<HttpRequest, 'body'>>();
    if (!(body instanceof ArrivingBody)) return true;
    if (Reflect.getMetadata(readsKind, context.getHandler()) === body.constructor) return true;
    body.passOver();
    throw new ApiError(
      'request.unsupported_media_type',
      'This endpoint does not read a body of that type; nothing was done.',
    );
  }
}
