/** What an operation is sent and what it replies, for the reader of the API reference. */
export interface Example {
  request?: unknown;
  reply?: unknown;
}

/** An example for each route of a module, under the same names. */
export type ExamplesOf<M> = { readonly [K in keyof M]: Example };
