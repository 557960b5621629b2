/**
 * A JSON object of which some members are JSON text already. Rows come from the engine as text and go to the client as
 * text: turning them into objects in between would cost more than the query.
 */
export class JsonText {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Text that is a JSON document as it stands. */
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
