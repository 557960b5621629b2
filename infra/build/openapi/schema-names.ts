import type { TObject, TSchema } from 'typebox';

/** `not_null` as a part of the name of a component: `NotNull`. */
export const nameOf = (words: string): string =>
  words.replaceAll(/(?:^|[_-])([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** A schema as a component of this name, with an example. */
export const named = (schema: TSchema, $id: string, example: object): TObject =>
  ({ ...schema, $id, examples: [example] }) as unknown as TObject;
