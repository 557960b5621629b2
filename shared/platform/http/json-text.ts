/**
 * A JSON object with some members that are JSON text already. Rows come from the engine as text and go to the client as
 * text; parsing them in between would cost more than the query.
 */
export class JsonText {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Wraps a text that is a complete JSON document. */
  static from(text: string): JsonText {
    return new JsonText(text);
  }

  static of(members: Record<string, unknown>, texts: Record<string, string>): JsonText {
    const parts = [
      ...Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)] as const),
      ...Object.entries(texts),
    ].filter(([, text]) => text !== undefined);
    return new JsonText(`{${parts.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
  }
}
