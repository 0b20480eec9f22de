import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import type { NamedRoute } from '@fleet/contracts/route';

const ROUTE = 'fleet:route';

/** `/v1/sessions/{id}` as the framework writes it; what a parameter called `path` holds may have slashes. */
const patternOf = (path: string): string => path.replace('{path}', '*').replaceAll(/\{(\w+)\}/g, ':$1');

/** The method answers the requests of a declared route: its method, path, permission and status are the declaration's. */
export const Handles = (route: NamedRoute): MethodDecorator =>
  applyDecorators(
    RequestMapping({ method: RequestMethod[route.method], path: patternOf(route.path) }),
    HttpCode(route.status ?? 200),
    SetMetadata(ROUTE, route),
  );

/** The route that a method of a controller answers; undefined: none. */
export const routeOf = (handler: object): NamedRoute | undefined =>
  Reflect.getMetadata(ROUTE, handler) as NamedRoute | undefined;
