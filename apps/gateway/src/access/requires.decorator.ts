import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Action } from '@fleet/access';

export const REQUIRED_ACTION = 'fleet:required-action';

/** An action of the policy, or nothing at all. */
export type Requirement = Action | 'open';

const requiring = (action: Requirement): MethodDecorator =>
  applyDecorators(SetMetadata(REQUIRED_ACTION, action), ApiExtension('x-requires', action));

/** What an address asks for. One that does not say is for administrators alone. */
export const Requires = (action: Action): MethodDecorator => requiring(action);

/** An address that asks for nothing: probes have no key. */
export const Open = (): MethodDecorator => requiring('open');
