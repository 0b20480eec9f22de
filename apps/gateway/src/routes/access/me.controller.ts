import { Controller, Inject, Req } from '@nestjs/common';
import { may } from '@fleet/access';
import type { MeView } from '@fleet/contracts/access';
import { routes } from '@fleet/contracts/routes';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import type { HttpRequest } from '../../http/http-types';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';

@Controller()
export class MeController {
  constructor(@Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions) {}

  /** The caller as identified by the gateway. */
  @Handles(routes.me.me)
  me(@Req() request: HttpRequest): MeView {
    const principal = principalOf(request);
    const { openAccess, uploads, timeZone } = this.options;
    return {
      ...principal,
      ...(principal.id === '' && { openAccess }),
      ...(uploads !== undefined && may(principal, 'upload.write') && { uploads }),
      timeZone,
    };
  }
}
