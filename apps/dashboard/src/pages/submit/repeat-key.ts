/** 128 random bits; `crypto.randomUUID` is available only over TLS. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A key for each body: a repeat starts nothing twice, and another body is another submission. */
export class RepeatKeys {
  private last: { readonly body: string; readonly key: string } | undefined;

  of(body: object): string {
    const text = JSON.stringify(body);
    if (this.last?.body !== text) this.last = { body: text, key: newKey() };
    return this.last.key;
  }
}
