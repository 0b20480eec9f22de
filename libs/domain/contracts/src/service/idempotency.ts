/** What an `Idempotency-Key` may be: 1 to 200 visible ASCII characters, a header as it stands. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,200}$/;
