import {
  CORE_SCHEMA,
  constructFromEvents,
  dump,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  YAMLException,
} from 'js-yaml';
import { segmentsOf } from './json-pointer.ts';

/** The maximum nesting of a document: more than any file of the platform has. */
const MAX_DEPTH = 32;
const MAX_DOCUMENTS = 100;
const PROTOTYPE = '__proto__';

/** A place in a text: line and column count from 1, the offset in UTF-16 units from 0. */
export interface TextPosition {
  line: number;
  column: number;
  offset: number;
}

export interface YamlDocument {
  value: unknown;
  /** Where the member or item begins that a JSON pointer names; of a missing one, where its parent begins. */
  positionOf(pointer: string): TextPosition;
}

/** A text that is not YAML, or has more of YAML than plain data. */
export class YamlError extends Error {
  readonly position: TextPosition;

  constructor(message: string, position: TextPosition) {
    super(message);
    this.name = 'YamlError';
    this.position = position;
  }
}

/** Reads one document; further ones are rejected. Throws `YamlError`. */
export function readYaml(text: string): YamlDocument {
  const events = eventsOf(text, 1, 'The file has several documents; it must have one.');
  return documentsOf(text, events)[0]!;
}

/**
 * Reads documents of plain data: mappings, lists, texts, numbers, booleans and null. Anchors, aliases and tags are
 * rejected, so that the work is proportional to the text. Throws `YamlError`, also for a text without a document.
 */
export const readYamlDocuments = (text: string): YamlDocument[] =>
  documentsOf(text, eventsOf(text, MAX_DOCUMENTS, `The file has more than ${MAX_DOCUMENTS} documents.`));

function documentsOf(text: string, events: Event[]): YamlDocument[] {
  assertTexts(text, events);
  const values = guarded(text, () => constructFromEvents(events, { source: text, schema: CORE_SCHEMA }));
  // Only a file with issues needs places.
  const places = lazily(() => ({ trees: treesOf(text, events), lines: linesOf(text) }));
  return values.map((value, index) => ({
    value,
    positionOf(pointer) {
      const { trees, lines } = places();
      return positionIn(lines, offsetOf(trees[index]!, segmentsOf(pointer)));
    },
  }));
}

/**
 * Writes plain data, with members in their order and texts of several lines as blocks. The same value gives the same
 * text.
 */
export function writeYaml(value: object): string {
  return dump(value, { lineWidth: -1, noRefs: true });
}

function eventsOf(text: string, maxDocuments: number, tooMany: string): Event[] {
  const events = guarded(text, () => parseEvents(text, { maxDepth: MAX_DEPTH }));
  const documents = events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length;
  if (documents === 0 || documents > maxDocuments)
    throw new YamlError(documents === 0 ? 'The file is empty.' : tooMany, positionAt(text, 0));
  for (const event of events) assertPlain(text, event);
  return events;
}

function guarded<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new YamlError(
      `The file is not valid YAML: ${error.reason}.`,
      positionAt(text, Math.min(error.mark?.position ?? 0, text.length)),
    );
  }
}

function assertPlain(text: string, event: Event): void {
  if (event.type === EVENT_ID.ALIAS)
    throw new YamlError('Aliases are not supported; write the value out.', positionAt(text, event.anchorStart));
  if (!('tagStart' in event)) return;
  if (event.tagStart >= 0)
    throw new YamlError('Tags are not supported; write the value without one.', positionAt(text, event.tagStart));
  if (event.anchorStart >= 0)
    throw new YamlError('Anchors are not supported; write the value out.', positionAt(text, event.anchorStart));
}

/** What a collection expects next. */
const Expected = { item: 0, name: 1, value: 2 } as const;

/**
 * Rejects names that are no texts or that could modify a prototype, and texts that are not valid Unicode. A text is
 * read only if that of the file leaves a doubt about it.
 */
function assertTexts(text: string, events: readonly Event[]): void {
  const isPlain = text.isWellFormed() && !text.includes('\\');
  const isHarmless = isPlain && !text.includes(PROTOTYPE);
  const open: number[] = [];
  for (const event of events) {
    const last = open.length - 1;
    const expected = open[last];
    if (event.type === EVENT_ID.POP) open.pop();
    else if (expected === Expected.name) {
      open[last] = Expected.value;
      assertName(text, event, isHarmless);
    } else {
      if (expected === Expected.value) open[last] = Expected.name;
      if (event.type === EVENT_ID.MAPPING) open.push(Expected.name);
      else if (event.type !== EVENT_ID.SCALAR) open.push(Expected.item);
      else if (!isPlain) assertWellFormed(text, getScalarValue(text, event), startOf(event));
    }
  }
}

function assertName(text: string, event: Event, isHarmless: boolean): void {
  const offset = startOf(event);
  if (event.type !== EVENT_ID.SCALAR) throw new YamlError('A name must be a text.', positionAt(text, offset));
  if (isHarmless) return;
  const name = getScalarValue(text, event);
  assertWellFormed(text, name, offset);
  // A careless merge could modify a prototype through it.
  if (name === PROTOTYPE) throw new YamlError(`Unknown member "${PROTOTYPE}".`, positionAt(text, offset));
}

/** An empty document begins nowhere. */
const startOf = (event: Event): number =>
  Math.max(0, event.type === EVENT_ID.SCALAR ? event.valueStart : 'start' in event ? event.start : 0);

/** Where a node begins, with the nodes below it by name or index. A member begins at its name. */
interface Place {
  offset: number;
  below?: Map<string, Place>;
}

interface Frame {
  place: Place;
  isMapping: boolean;
  /** The name whose value comes next. */
  name?: { text: string; offset: number } | undefined;
}

/** A tree for each document. */
function treesOf(text: string, events: readonly Event[]): Place[] {
  const root: Frame = { place: { offset: 0, below: new Map() }, isMapping: false };
  const open: (Frame | undefined)[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) open.pop();
    else if (event.type === EVENT_ID.DOCUMENT) open.push(root);
    else open.push(...framesOf(text, event, open.at(-1)));
  }
  return [...root.place.below!.values()];
}

/** Adds the node to its parent; a collection becomes a frame of its own. */
function framesOf(text: string, event: Event, parent: Frame | undefined): Frame[] {
  const isScalar = event.type === EVENT_ID.SCALAR;
  const offset = startOf(event);
  if (parent?.isMapping && !parent.name) {
    parent.name = { text: isScalar ? getScalarValue(text, event) : '', offset };
    return [];
  }
  const place: Place = { offset: parent?.name?.offset ?? offset };
  const below = parent?.place.below;
  below?.set(parent!.name?.text ?? String(below.size), place);
  if (parent) parent.name = undefined;
  if (isScalar) return [];
  place.below = new Map();
  return [{ place, isMapping: event.type === EVENT_ID.MAPPING }];
}

function assertWellFormed(text: string, value: string, offset: number): void {
  if (value.isWellFormed()) return;
  const message = 'The text is not valid Unicode: a surrogate lacks its other half.';
  throw new YamlError(message, positionAt(text, offset));
}

function offsetOf(tree: Place, segments: readonly string[]): number {
  let place = tree;
  for (const segment of segments) {
    const next = place.below?.get(segment);
    if (!next) break;
    place = next;
  }
  return place.offset;
}

/** The offsets at which lines begin. */
function linesOf(text: string): number[] {
  const lines = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines.push(end + 1);
  return lines;
}

function positionIn(lines: readonly number[], offset: number): TextPosition {
  let [line, after] = [0, lines.length];
  while (after - line > 1) {
    const middle = (line + after) >> 1;
    if (lines[middle]! <= offset) line = middle;
    else after = middle;
  }
  return { line: line + 1, column: offset - lines[line]! + 1, offset };
}

const positionAt = (text: string, offset: number): TextPosition => positionIn(linesOf(text), offset);

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
