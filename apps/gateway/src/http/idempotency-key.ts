import { idempotencyKeyPattern } from '@fleet/contracts/service';
import { ApiError } from './errors/problem-details';

/** @throws ApiError `request.invalid` if the header is not a valid key */
export const readIdempotencyKey = (header: string | readonly string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && idempotencyKeyPattern.test(header)) return header;
  throw new ApiError('request.invalid', 'The Idempotency-Key header is invalid.', [
    {
      field: 'Idempotency-Key',
      reason: 'is empty, too long or has other characters',
      allowed: '1 to 200 visible ASCII characters',
      code: 'field.value',
    },
  ]);
};
