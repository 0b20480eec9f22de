import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiError } from './errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from './gateway-options';
import type { HttpRequest } from './http-types';

/** Answers 404 for the administration if it is switched off (FLEET_ADMIN_API=off). */
@Injectable()
export class AdminSwitch implements CanActivate {
  constructor(@Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.options.adminApi) return true;
    const { url } = context.switchToHttp().getRequest<HttpRequest>();
    throw new ApiError(
      'route.not_found',
      `${url} is not available: administration is disabled here (FLEET_ADMIN_API).`,
    );
  }
}
