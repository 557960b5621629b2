import { labelOf } from './json-schema.ts';

/** Where the values of a request are, which no form shows. */
const ENVELOPES: readonly string[] = ['query', 'path', 'headers', 'body', 'config', 'dag', 'schema'];

/**
 * What people call a place in a request that is given as a JSON pointer: `Table 1, merge key` for `/tables/0/mergeKey`.
 * Empty for the request as a whole.
 */
export function placeName(pointer: string): string {
  const segments = pointer.split('/').slice(1).map(unescaped);
  while (segments.length > 1 && ENVELOPES.includes(segments[0]!)) segments.shift();
  const names: string[] = [];
  for (const segment of segments) {
    const list = names.at(-1);
    if (list !== undefined && /^\d+$/.test(segment))
      names[names.length - 1] = `${singular(list)} ${Number(segment) + 1}`;
    else names.push(nameOf(segment));
  }
  const [first, ...others] = names;
  return [first, ...others.map(inSentence)].filter(Boolean).join(', ');
}

const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** `Measure` for `measureId`: forms let people choose objects, not ids. */
const nameOf = (segment: string): string => labelOf(segment.replace(/(?<=[a-z])Id(s?)$/, '$1'));

const singular = (noun: string): string =>
  noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/(?<=[^s])s$/, '');

/** Lower case, unless the first word is an abbreviation. */
const inSentence = (name: string): string =>
  /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);

interface PlacedIssue {
  pointer: string;
  message: string;
}

/** An issue in words: messages that continue the name of their place follow it, others stand behind a colon. */
export function issueText({ pointer, message }: PlacedIssue): string {
  const name = placeName(pointer);
  if (name === '') return message;
  return /^[a-z]/.test(message) ? `${name} ${message}` : `${name}: ${message}`;
}
