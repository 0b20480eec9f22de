import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import type { SessionCounts } from '@fleet/contracts';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import type { HttpRequest } from '../http/http-types';
import { QueryReader, type Query as QueryValues } from '../http/read-query';
import { CountsDocs } from '../openapi/session-docs';
import { readGroup } from './read-list-query';
import { SessionCounter } from './session-counter.service';

/** Beside the sessions and not below them: there every name is one of a session. */
@Controller('v1/counts')
export class CountsController {
  constructor(@Inject(SessionCounter) private readonly counter: SessionCounter) {}

  @Get()
  @Requires('session.list')
  @CountsDocs()
  async counts(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<SessionCounts> {
    const reader = new QueryReader(query, ['proposal', 'beamline', 'batch', 'submitter']);
    const group = readGroup(reader);
    reader.done();
    return this.counter.of(principalOf(request), group);
  }
}
