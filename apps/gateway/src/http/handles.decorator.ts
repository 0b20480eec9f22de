import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import type { NamedRoute } from '@fleet/contracts/route';

const ROUTE = 'fleet:route';

/** `/v1/sessions/{id}` in the framework's syntax; a parameter called `path` may contain slashes. */
const patternOf = (path: string): string => path.replace('{path}', '*').replaceAll(/\{(\w+)\}/g, ':$1');

/** Marks the handler of a declared route, which defines its method, path, permission and status. */
export const Handles = (route: NamedRoute): MethodDecorator =>
  applyDecorators(
    RequestMapping({ method: RequestMethod[route.method], path: patternOf(route.path) }),
    HttpCode(route.status ?? 200),
    SetMetadata(ROUTE, route),
  );

/** The route of a controller's method; undefined: none. */
export const routeOf = (handler: object): NamedRoute | undefined =>
  Reflect.getMetadata(ROUTE, handler) as NamedRoute | undefined;
