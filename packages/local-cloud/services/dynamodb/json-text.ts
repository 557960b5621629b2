/**
 * JSON in text form. Items are stored as JSON in wire format, so a read without changes passes the text on instead of
 * parsing and writing it again.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Like `JSON.stringify` of an object, where a top-level member may be a `JsonText`. Undefined members are left out. */
export function renderJson(output: Record<string, unknown>): string {
  const members: string[] = [];
  for (const name in output) {
    const value = output[name];
    if (value === undefined) continue;
    members.push(`${JSON.stringify(name)}:${value instanceof JsonText ? value.text : JSON.stringify(value)}`);
  }
  return `{${members.join(',')}}`;
}

export function jsonArray(texts: string[]): JsonText {
  return new JsonText(`[${texts.join(',')}]`);
}
