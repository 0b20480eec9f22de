import { Controller, Get, Req } from '@nestjs/common';
import type { Principal } from '@fleet/contracts';
import type { HttpRequest } from '../http/http-types';
import { MeDocs } from '../openapi/access-docs';
import { principalOf } from './principal-of';
import { Requires } from './requires.decorator';

@Controller('v1/me')
export class MeController {
  /** Who asks, as the gateway sees them. */
  @Get()
  @Requires('service.read')
  @MeDocs()
  me(@Req() request: HttpRequest): Principal {
    return principalOf(request);
  }
}
