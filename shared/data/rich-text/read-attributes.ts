import { issueMessage } from '../../platform/validation/issue-messages.ts';
import { hasShape, shapeIssues } from '../../platform/validation/shape-issues.ts';
import { attributesOf, DEFAULT_ATTRIBUTES, DROPPED_ATTRIBUTES } from './attributes.ts';
import type { MarkType, NodeType, RichNode } from './nodes.ts';
import { isObject, type Reading } from './reading.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** The attributes of a node in a fixed order; undefined without any. */
export function readAttributes(type: NodeType, given: unknown, at: string, reading: Reading): Attributes | undefined {
  const pointer = `${at}/attrs`;
  if (given !== undefined && given !== null && !isObject(given)) {
    reading.report({ pointer, ...issueMessage('type', { type: 'object' }) });
    return undefined;
  }
  const written = withoutDefaults(given ?? {}, type);
  const attrs = type === 'value' ? withId(written, `${pointer}/id`, reading) : written;
  const schema = attributesOf(type, attrs);
  if (!hasShape(schema, attrs)) {
    for (const issue of shapeIssues(schema, attrs, pointer)) reading.report(issue);
    return undefined;
  }
  if (type === 'liveBlock' || type === 'value') {
    const node: RichNode = { type, attrs };
    for (const issue of reading.check(node, pointer)) reading.report(issue);
  }
  const names = Object.keys(schema.properties).filter((name) => name in attrs);
  return names.length > 0 ? Object.fromEntries(names.map((name) => [name, attrs[name]])) : undefined;
}

/** Editors write `null` for an attribute that is not set. */
export function withoutDefaults(attrs: Attributes, type: NodeType | MarkType): Attributes {
  const dropped = DROPPED_ATTRIBUTES[type] ?? [];
  const defaults = DEFAULT_ATTRIBUTES[type] ?? {};
  return Object.fromEntries(
    Object.entries(attrs).filter(
      ([name, value]) =>
        value !== null &&
        value !== undefined &&
        !dropped.includes(name) &&
        !(name in defaults && defaults[name] === value),
    ),
  );
}

function withId(attrs: Attributes, pointer: string, { newId, valueIds, report }: Reading): Attributes {
  const { id = newId() } = attrs;
  if (typeof id === 'string' && valueIds.has(id)) {
    report({ pointer, code: 'VALUE_ID_REPEATED', message: 'is the id of another value of the section; omit it' });
  }
  valueIds.add(id as string);
  return { id, ...attrs };
}
