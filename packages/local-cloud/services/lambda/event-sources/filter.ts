import { EventPattern } from '../../events/pattern/pattern.ts';

/** One filter of an event source, in the language of event patterns. */
export interface FilterPattern {
  matches(record: object): boolean;
}

/** Parses a filter pattern. Throws an `Error` with the reason if it is invalid. */
export function parsePattern(text: string): FilterPattern {
  const pattern = new EventPattern(text);
  const bodyIsText = Array.isArray((JSON.parse(text) as { body?: unknown }).body);
  return { matches: (record) => pattern.matches(bodyIsText ? record : withParsedBody(record)) };
}

/**
 * Selects the records that match one of the patterns, or all without patterns. The body of an SQS message is compared
 * as JSON if the pattern describes an object, and as text if it lists texts.
 */
export function recordFilter(patterns: string[]): (record: object) => boolean {
  const parsed = patterns.map(parsePattern);
  if (parsed.length === 0) return () => true;
  return (record) => parsed.some((pattern) => pattern.matches(record));
}

function withParsedBody(record: { body?: unknown }): object {
  if (typeof record.body !== 'string') return record;
  try {
    return { ...record, body: JSON.parse(record.body) };
  } catch {
    return record;
  }
}
