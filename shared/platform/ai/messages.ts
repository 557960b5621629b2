/** Data for a model, between tags that the data cannot close. */
export const sealed = (tag: string, value: unknown): string =>
  `<${tag}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</${tag}>`;

/** The JSON object that an answer consists of, also between fences; undefined for an answer of another form. */
export function objectIn(answer: string): Record<string, unknown> | undefined {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(answer)?.[1];
  try {
    const value: unknown = JSON.parse(fenced ?? answer);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
