import { matches, type Pattern, readPattern } from './pattern.ts';

/** Reads a filter pattern. Throws an `Error` that says what is wrong with it. */
export function parsePattern(text: string): Pattern {
  return readPattern(JSON.parse(text));
}

/**
 * Which records an event source passes on: those that match one of the patterns, all without a pattern. The body of an
 * SQS message is compared as JSON where the pattern describes an object, and as text where it lists texts.
 */
export function recordFilter(patterns: string[]): (record: object) => boolean {
  const parsed = patterns.map(parsePattern);
  if (parsed.length === 0) return () => true;
  return (record) => parsed.some((pattern) => matches(pattern, comparable(record as { body?: unknown }, pattern)));
}

function comparable(record: { body?: unknown }, pattern: Pattern): unknown {
  if (typeof record.body !== 'string' || Array.isArray(pattern.body)) return record;
  try {
    return { ...record, body: JSON.parse(record.body) };
  } catch {
    return record;
  }
}
