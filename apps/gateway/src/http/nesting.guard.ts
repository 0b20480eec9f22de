import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ApiError } from './errors/problem-details';
import type { HttpRequest } from './http-types';

/** Maximum nesting of objects and arrays; the API itself needs fewer than ten levels. */
const maxLevels = 64;

const membersOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/** Iterative, because a deeply nested body would break a recursion. */
const isDeeper = (body: unknown, most: number): boolean => {
  let level = membersOf(body);
  for (let depth = 1; depth <= most && level.length > 0; depth += 1) level = level.flatMap(membersOf);
  return level.length > 0;
};

/** Rejects bodies that are nested so deeply that printing or comparing them would fail. */
export class NestingGuard implements CanActivate {
  /** @throws ApiError `request.invalid` */
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<Pick<HttpRequest, 'body'>>();
    if (!isDeeper(body, maxLevels)) return true;
    const allowed = `at most ${String(maxLevels)} levels of objects and lists`;
    throw new ApiError('request.invalid', 'The body is nested too deeply; nothing was done.', [
      { field: 'body', reason: 'is nested too deeply', allowed, code: 'field.value' },
    ]);
  }
}
