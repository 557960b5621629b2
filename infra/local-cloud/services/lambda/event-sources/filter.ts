import { EventPattern } from '../../events/pattern/pattern.ts';

/** One filter of an event source, which speaks the language of event patterns. */
export interface FilterPattern {
  matches(record: object): boolean;
}

/** Reads a filter pattern. Throws an `Error` that says what is wrong with it. */
export function parsePattern(text: string): FilterPattern {
  const pattern = new EventPattern(text);
  const bodyIsText = Array.isArray((JSON.parse(text) as { body?: unknown }).body);
  return { matches: (record) => pattern.matches(bodyIsText ? record : withParsedBody(record)) };
}

/**
 * Which records an event source passes on: those that match one of the patterns, all without a pattern. The body of an
 * SQS message is compared as JSON where the pattern describes an object, and as text where it lists texts.
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
