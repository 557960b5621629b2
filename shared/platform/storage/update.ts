import type { Key } from './keys.ts';
import type { Table, TransactItem } from './table.ts';

/** A change of one item; attribute names may be reserved words. */
export interface Change {
  set?: Record<string, unknown>;
  /** Increments numbers; an absent one counts as 0. */
  add?: Record<string, number>;
  remove?: readonly string[];
  /** Removes members from sets; absent ones are ignored. */
  take?: Record<string, Set<number>>;
  /** Increments the revision of a versioned record; an absent one counts as 1. */
  revise?: true;
}

/** The condition of the change. */
export interface Condition {
  equals?: Record<string, unknown>;
  oneOf?: Record<string, readonly unknown[]>;
  absent?: readonly string[];
  exists?: readonly string[];
  /** The record exists and has the revision that was read; an absent one counts as 1. */
  revision?: number;
}

type Expressions = NonNullable<TransactItem['Update']>;

/** The members of an update (for `UpdateCommand` or a transaction), with placeholders for all names and values. */
export function updateOf(table: Table, key: Key, change: Change, condition: Condition = {}): Expressions {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const name = (attribute: string) => {
    const placeholder = `#${attribute}`;
    names[placeholder] = attribute;
    return placeholder;
  };
  const value = (content: unknown) => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = content;
    return placeholder;
  };
  const defined = (members: Record<string, unknown> = {}) =>
    Object.entries(members).filter(([, content]) => content !== undefined);

  const revise: string[] = [];
  if (change.revise) {
    const one = value(1);
    revise.push(`${name('revision')} = if_not_exists(${name('revision')}, ${one}) + ${one}`);
  }
  const clauses = [
    [
      'SET',
      [...defined(change.set).map(([attribute, content]) => `${name(attribute)} = ${value(content)}`), ...revise],
    ],
    ['ADD', defined(change.add).map(([attribute, by]) => `${name(attribute)} ${value(by)}`)],
    ['REMOVE', (change.remove ?? []).map(name)],
    ['DELETE', defined(change.take).map(([attribute, members]) => `${name(attribute)} ${value(members)}`)],
  ] as const;
  const conditions = [
    ...defined(condition.equals).map(([attribute, content]) => `${name(attribute)} = ${value(content)}`),
    ...Object.entries(condition.oneOf ?? {}).map(
      ([attribute, contents]) => `${name(attribute)} IN (${contents.map(value).join(', ')})`,
    ),
    ...(condition.absent ?? []).map((attribute) => `attribute_not_exists(${name(attribute)})`),
    ...(condition.revision === undefined
      ? []
      : [
          `(${name('revision')} = ${value(condition.revision)} OR ` +
            `(attribute_exists(${name('pk')}) AND attribute_not_exists(${name('revision')})))`,
        ]),
    ...(condition.exists ?? []).map((attribute) => `attribute_exists(${name(attribute)})`),
  ];
  return {
    TableName: table.name,
    Key: key,
    UpdateExpression: clauses
      .filter(([, parts]) => parts.length > 0)
      .map(([word, parts]) => `${word} ${parts.join(', ')}`)
      .join(' '),
    ...(conditions.length > 0 ? { ConditionExpression: conditions.join(' AND ') } : {}),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
}
