import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import type { SessionCounts } from '@fleet/contracts';
import { LAUNCH_CONTROL, type LaunchControl } from '@fleet/ports';
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
  constructor(
    @Inject(SessionCounter) private readonly counter: SessionCounter,
    @Inject(LAUNCH_CONTROL) private readonly control: LaunchControl,
  ) {}

  @Get()
  @Requires('session.list')
  @CountsDocs()
  async counts(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<SessionCounts> {
    const reader = new QueryReader(query, ['proposal', 'beamline', 'batch', 'submitter']);
    const group = readGroup(reader);
    reader.done();
    const [counts, launches] = await Promise.all([this.counter.of(principalOf(request), group), this.control.read()]);
    return launches.mode === 'open' ? counts : { ...counts, launches };
  }
}
