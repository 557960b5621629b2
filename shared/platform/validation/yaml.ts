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
  const trees = treesOf(text, events);
  const values = guarded(text, () => constructFromEvents(events, { source: text, schema: CORE_SCHEMA }));
  return values.map((value, index) => ({
    value,
    positionOf: (pointer) => positionAt(text, offsetOf(trees[index]!, segmentsOf(pointer))),
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
  // An empty document begins nowhere.
  const offset = Math.max(0, isScalar ? event.valueStart : 'start' in event ? event.start : 0);
  if (parent?.isMapping && !parent.name) {
    if (!isScalar) throw new YamlError('A name must be a text.', positionAt(text, offset));
    parent.name = { text: nameOf(text, event), offset };
    return [];
  }
  const place: Place = { offset: parent?.name?.offset ?? offset };
  const below = parent?.place.below;
  below?.set(parent!.name?.text ?? String(below.size), place);
  if (parent) parent.name = undefined;
  if (isScalar) {
    assertWellFormed(text, getScalarValue(text, event), offset);
    return [];
  }
  place.below = new Map();
  return [{ place, isMapping: event.type === EVENT_ID.MAPPING }];
}

function nameOf(text: string, event: Event & { type: typeof EVENT_ID.SCALAR }): string {
  const name = getScalarValue(text, event);
  assertWellFormed(text, name, event.valueStart);
  // A careless merge could modify a prototype through it.
  if (name === '__proto__') throw new YamlError('Unknown member "__proto__".', positionAt(text, event.valueStart));
  return name;
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

function positionAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1, offset };
}
