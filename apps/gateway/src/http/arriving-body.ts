import type { Readable } from 'node:stream';
import { SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiError } from './errors/problem-details';
import type { HttpRequest } from './http-types';

/** A body that is read as it arrives. It has no members that anybody could take for those of an object. */
export class ArrivingBody {
  readonly #bytes: Readable;
  readonly #cutShort: string;

  /** @param cutShort answer to a client whose connection ended in the middle */
  constructor(bytes: Readable, cutShort: string) {
    this.#bytes = bytes;
    this.#cutShort = cutShort;
  }

  /**
   * Reads it once; whatever its reader leaves is passed over, so that the client can hear the answer.
   * @param idleMs milliseconds in which a client has to send something; absent: the whole request has its own limit
   */
  async *pieces(idleMs?: number): AsyncGenerator<Uint8Array> {
    let idle = this.watch(idleMs);
    try {
      for await (const piece of this.#bytes.iterator({ destroyOnReturn: false })) {
        // Whoever writes it down takes their time.
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

  /** Nobody will read it. */
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
/** An address that reads such bodies as they arrive; all others refuse them. */
export const ReadsArriving = (kind: typeof ArrivingBody): MethodDecorator => SetMetadata(readsKind, kind);

/** Refuses a body that nobody here would read. */
export class ArrivingBodyGuard implements CanActivate {
  /** @throws ApiError `request.unsupported_media_type` */
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<Pick<HttpRequest, 'body'>>();
    if (!(body instanceof ArrivingBody)) return true;
    if (Reflect.getMetadata(readsKind, context.getHandler()) === body.constructor) return true;
    body.passOver();
    throw new ApiError(
      'request.unsupported_media_type',
      'This address does not read a body of that type; nothing was done.',
    );
  }
}
