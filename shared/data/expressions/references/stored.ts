import { type Names, namesOf, type Scope } from '../check/scope.ts';
import { Diagnostics } from '../language/diagnostics.ts';
import { type Token, tokens } from '../language/lexer.ts';
import { fieldReference, measureReference } from '../language/names.ts';

/** A part of a stored text: plain text, or a reference by id with the text that the author wrote for it. */
export type StoredSegment = string | { field: string; text: string } | { measure: string; text: string };

/** A text whose references are ids, so that tables, fields and measures can be renamed without changing it. */
export interface StoredExpression {
  segments: StoredSegment[];
}

/** Replaces the references of a text with ids. What refers to nothing, or to several things, stays as text. */
export function toStored(text: string, scope: Scope): StoredExpression {
  const names = namesOf(scope);
  const segments: StoredSegment[] = [];
  let copied = 0;
  for (const token of tokens(text, new Diagnostics())) {
    const target = targetOf(token, names);
    if (!target) continue;
    if (token.from > copied) segments.push(text.slice(copied, token.from));
    segments.push({ ...target, text: text.slice(token.from, token.to) });
    copied = token.to;
  }
  if (copied < text.length) segments.push(text.slice(copied));
  return { segments };
}

/**
 * The text with the current names. A reference keeps the author's spelling while that still means the same, and the
 * last known name once its target is gone.
 */
export function fromStored({ segments }: StoredExpression, scope: Scope): string {
  const names = namesOf(scope);
  return segments.map((segment) => (typeof segment === 'string' ? segment : rendered(segment, names))).join('');
}

/** The ids to which a stored text refers directly, in order of appearance, also those that are gone. */
export function referencesOf({ segments }: StoredExpression): { fields: string[]; measures: string[] } {
  const fields = new Set<string>();
  const measures = new Set<string>();
  for (const segment of segments) {
    if (typeof segment === 'string') continue;
    if ('field' in segment) fields.add(segment.field);
    else measures.add(segment.measure);
  }
  return { fields: [...fields], measures: [...measures] };
}

function targetOf(token: Token, names: Names): { field: string } | { measure: string } | undefined {
  if (token.kind === 'measure') {
    // A parameter is referred to by its name.
    if (names.parameter(token.name)) return undefined;
    const match = names.measure(token.name);
    return match && 'found' in match ? { measure: match.found.id } : undefined;
  }
  if (token.kind !== 'field') return undefined;
  const table = token.alias === undefined ? names.homeTable : foundOf(names.table(token.alias));
  const field = table && foundOf(names.field(table, token.name));
  return field && { field: field.id };
}

const foundOf = <T>(match: { found: T } | { ambiguous: T[] } | undefined): T | undefined =>
  match && 'found' in match ? match.found : undefined;

function rendered(segment: Exclude<StoredSegment, string>, names: Names): string {
  const [token] = tokens(segment.text, new Diagnostics());
  const current = token && targetOf(token, names);
  if ('measure' in segment) {
    if (current && 'measure' in current && current.measure === segment.measure) return segment.text;
    const measure = names.measureById(segment.measure);
    return measure ? measureReference(measure.name) : segment.text;
  }
  if (current && 'field' in current && current.field === segment.field) return segment.text;
  const match = names.fieldById(segment.field);
  if (!match) return segment.text;
  const isBare = token?.kind === 'field' && token.alias === undefined && names.homeTable?.id === match.table.id;
  return fieldReference(isBare ? undefined : match.table.alias, match.field.name);
}
