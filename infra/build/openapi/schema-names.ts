import type { TObject, TSchema } from 'typebox';

/** A snake_case name as part of a component name: `not_null` becomes `NotNull`. */
export const nameOf = (words: string): string =>
  words.replaceAll(/(?:^|[_-])([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** Turns a schema into a component with this name and an example. */
export const named = (schema: TSchema, $id: string, example: object): TObject =>
  ({ ...schema, $id, examples: [example] }) as unknown as TObject;
