/** Plain data as the body of a call: the client library's types are classes, and what it sends is the data alone. */
export const asBody = <T extends object>(data: Partial<{ [Key in keyof T]: unknown }>): T => data as T;
