import { EngineError } from '../engine/engine-error.ts';

declare global {
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Parses JSON so that writing it again gives the same numbers, those beyond a double's precision included. */
export function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
    );
  } catch (cause) {
    throw new EngineError(
      'FILE_UNREADABLE',
      `The answer is not valid JSON: ${(cause as Error).message}`.slice(0, 300),
      {
        cause,
      },
    );
  }
}

/** The value that a JSON pointer leads to; undefined when it leads nowhere. */
export function atPointer(content: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Record<string, unknown>)[name];
  }, content);
}

/** The records of an answer: the list at the pointer, or the answer itself, which may be a single record. */
export function recordsOf(content: unknown, pointer: string | undefined): object[] {
  const found = pointer === undefined ? content : atPointer(content, pointer);
  const place = pointer === undefined ? 'The answer' : `The answer at ${pointer}`;
  if (found === null) return [];
  if (found === undefined) throw new EngineError('FILE_UNREADABLE', `${place} holds no records.`);
  const records = Array.isArray(found) ? found : [found];
  const other = records.findIndex((item) => typeof item !== 'object' || item === null || Array.isArray(item));
  if (other >= 0) throw new EngineError('FILE_UNREADABLE', `${place} holds no objects, at record ${other + 1}.`);
  return records;
}
