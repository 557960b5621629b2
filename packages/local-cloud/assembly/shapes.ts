/**
 * The supported properties of a resource type, as a tree. It is declared once: unknown properties are reported, values
 * are converted as CloudFormation does ("5" for a number, 5 for a text), and TypeScript infers types from it.
 */
export type Shape =
  | { kind: 'text' | 'number' | 'flag' | 'document' | 'policy' }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'list' | 'map'; of: Shape }
  | { kind: 'object'; members: Members }
  | { kind: 'required'; of: Shape };

export type Members = { readonly [name: string]: Shape };

export type Infer<S> = S extends { kind: 'required'; of: infer O }
  ? Infer<O>
  : S extends { kind: 'choice'; values: readonly (infer V)[] }
    ? V
    : S extends { kind: 'list'; of: infer O }
      ? Infer<O>[]
      : S extends { kind: 'map'; of: infer O }
        ? Record<string, Infer<O>>
        : S extends { kind: 'object'; members: infer M }
          ? InferMembers<M>
          : S extends { kind: 'text' }
            ? string
            : S extends { kind: 'number' }
              ? number
              : S extends { kind: 'flag' }
                ? boolean
                : S extends { kind: 'document' | 'policy' }
                  ? unknown
                  : never;

type RequiredKeys<M> = { [K in keyof M]: M[K] extends { kind: 'required' } ? K : never }[keyof M];

export type InferMembers<M> = { [K in RequiredKeys<M>]: Infer<M[K]> } & {
  [K in Exclude<keyof M, RequiredKeys<M>>]?: Infer<M[K]>;
};

export const text = { kind: 'text' } as const;
export const number = { kind: 'number' } as const;
export const flag = { kind: 'flag' } as const;
/** An IAM policy document, whose elements the local cloud must know to enforce them. */
export const policyDocument = { kind: 'policy' } as const;
/** Free JSON in another language: an event pattern, a dashboard. */
export const document = { kind: 'document' } as const;

/** The supported values; any other value is rejected by name. */
export function choice<const V extends readonly string[]>(...values: V): { kind: 'choice'; values: V } {
  return { kind: 'choice', values };
}

export function list<S extends Shape>(of: S): { kind: 'list'; of: S } {
  return { kind: 'list', of };
}

export function map<S extends Shape>(of: S): { kind: 'map'; of: S } {
  return { kind: 'map', of };
}

export function object<M extends Members>(members: M): { kind: 'object'; members: M } {
  return { kind: 'object', members };
}

export function required<S extends Shape>(of: S): { kind: 'required'; of: S } {
  return { kind: 'required', of };
}

/** The list form in which most resources carry their tags. */
export const tags = list(object({ Key: required(text), Value: required(text) }));
