/** The request and reply of an operation, for the API reference. */
export interface Example {
  request?: unknown;
  reply?: unknown;
}

/** An example for each route of a module, under the same names. */
export type ExamplesOf<M> = { readonly [K in keyof M]: Example };
