import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { shown } from '@fleet/contracts/schema';
import { ProblemList } from '@fleet/problems';
import { ApiError } from './errors/problem-details';
import type { HttpRequest } from './http-types';

/**
 * The inputs that a route's handler reads, from its decorators: keys such as `4:0`, kind and index of each argument.
 */
const readBy = (context: ExecutionContext): ReadonlySet<number> => {
  const handler: string = context.getHandler().name;
  const declared: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler);
  return new Set(Object.keys(declared ?? {}).map((key) => Number.parseInt(key, 10)));
};

const refuseBody = (body: unknown, problems: ProblemList): void => {
  if (body === undefined || body === null) return;
  if (typeof body !== 'object' || Array.isArray(body)) {
    problems.add('field.type', 'body', `${shown(body)} is not accepted here`, 'no body');
    return;
  }
  for (const name of Object.keys(body)) problems.add('field.unknown', name, 'is not accepted here', 'no body');
};

/**
 * Rejects input that a route would ignore: a request to remove one run, with a body that the route does not read, would
 * remove them all. The handler validates what it reads.
 */
export class UnreadInputGuard implements CanActivate {
  /** @throws ApiError `request.invalid` that names every ignored parameter and member */
  canActivate(context: ExecutionContext): boolean {
    const reads = readBy(context);
    const { query, body } = context.switchToHttp().getRequest<Pick<HttpRequest, 'query' | 'body'>>();
    const problems = new ProblemList();
    if (!reads.has(RouteParamtypes.QUERY)) {
      for (const name of Object.keys(query))
        problems.add('field.unknown', name, 'is not a parameter of this endpoint', 'no parameters');
    }
    if (!reads.has(RouteParamtypes.BODY)) refuseBody(body, problems);
    if (problems.isEmpty) return true;
    throw new ApiError(
      'request.invalid',
      'The body has fields that this endpoint does not accept; nothing was done.',
      problems.all,
    );
  }
}
