/** Attributes as they are edited: a name, and its values on lines of their own. */
export interface AttributeRow {
  name: string;
  text: string;
}

type Attributes = Readonly<Record<string, string | readonly string[]>>;

export const rowsOf = (attributes: Attributes): AttributeRow[] =>
  Object.entries(attributes).map(([name, value]) => ({ name, text: [value].flat().join('\n') }));

/**
 * One line is a text and several are a list, unless the attribute was a list before. Rows without a name are left out.
 */
export function attributesOf(
  rows: readonly AttributeRow[],
  before: Attributes = {},
): Record<string, string | string[]> {
  const named = rows.filter(({ name }) => name.trim());
  return Object.fromEntries(
    named.map(({ name, text }) => {
      const values = text
        .split('\n')
        .map((value) => value.trim())
        .filter(Boolean);
      const isList = values.length !== 1 || Array.isArray(before[name.trim()]);
      return [name.trim(), isList ? values : values[0]!];
    }),
  );
}
