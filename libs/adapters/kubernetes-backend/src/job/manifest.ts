/** A Kubernetes object as it is sent, by the client library's classes: plain JSON with dates as text. */
export type Manifest<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Manifest<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Manifest<T[Key]> }
      : T;
