/** A valid `Idempotency-Key`: 1 to 200 visible ASCII characters. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,200}$/;
