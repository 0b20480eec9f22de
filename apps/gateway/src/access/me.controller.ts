import { Controller, Get, Inject, Req } from '@nestjs/common';
import { may } from '@fleet/access';
import type { MeView } from '@fleet/contracts';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import type { HttpRequest } from '../http/http-types';
import { MeDocs } from '../openapi/access-docs';
import { principalOf } from './principal-of';
import { Requires } from './requires.decorator';

@Controller('v1/me')
export class MeController {
  constructor(@Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions) {}

  /** Who asks, as the gateway sees them. */
  @Get()
  @Requires('service.about')
  @MeDocs()
  me(@Req() request: HttpRequest): MeView {
    const principal = principalOf(request);
    const { openTo, uploads, timeZone } = this.options;
    return {
      ...principal,
      ...(principal.id === '' && { openTo }),
      ...(uploads !== undefined && may(principal, 'upload.write') && { uploads }),
      timeZone,
    };
  }
}
