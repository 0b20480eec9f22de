import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { SESSION_INDEX, type SessionIndex } from '@fleet/ports';
import { idOfName } from '@fleet/sessions';

/** Resolves `:id` in a URL: an id, the beginning of one, or a title. Handlers receive the id. */
@Injectable()
export class SessionIdPipe implements PipeTransform<string, Promise<string>> {
  constructor(@Inject(SESSION_INDEX) private readonly index: SessionIndex) {}

  transform(name: string): Promise<string> {
    return idOfName(this.index, name);
  }
}
