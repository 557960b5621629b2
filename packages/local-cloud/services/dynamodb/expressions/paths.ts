import type { AttributeValue, Item } from '../values.ts';
import type { ExpressionIssues } from './issues.ts';
import type { Placeholders } from './placeholders.ts';
import { isReservedWord } from './reserved-words.ts';
import type { PathSyntax } from './syntax.ts';

/** Attribute name, then map keys (strings) and list indexes (numbers). */
export type Path = (string | number)[];

export function bindPath(syntax: PathSyntax, placeholders: Placeholders, issues: ExpressionIssues): Path {
  return syntax.parts.map((part) => {
    if (typeof part === 'number') return part;
    if (!part.startsWith('#')) {
      if (isReservedWord(part)) {
        issues.add('reservedWord', `Attribute name is a reserved keyword; reserved keyword: ${part}`);
      }
      return part;
    }
    const name = placeholders.name(part);
    if (name === undefined) {
      issues.add(
        'undefinedName',
        `An expression attribute name used in the document path is not defined; attribute name: ${part}`,
      );
    }
    return name ?? part;
  });
}

export function bindValue(
  placeholder: string,
  placeholders: Placeholders,
  issues: ExpressionIssues,
): AttributeValue | undefined {
  const value = placeholders.value(placeholder);
  if (value === undefined) {
    issues.add(
      'undefinedValue',
      `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
    );
  }
  return value;
}

export function readPath(item: Item, path: Path): AttributeValue | undefined {
  let value = member(item, path[0] as string);
  for (let index = 1; index < path.length && value !== undefined; index += 1) {
    const part = path[index] as string | number;
    if (typeof part === 'number') value = value.L?.[part];
    else value = value.M && member(value.M, part);
  }
  return value;
}

function member(map: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** `[a, b, [3]]`, the form of a path in error messages. */
export function pathText(path: Path): string {
  return `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;
}

/** Reports the first two paths that overlap or that use one place as both list and map. */
export function rejectOverlaps(paths: Path[], issues: ExpressionIssues): void {
  if (paths.length < 2) return;
  for (let second = 1; second < paths.length; second += 1) {
    for (let first = 0; first < second; first += 1) compare(paths[first] as Path, paths[second] as Path, issues);
  }
}

function compare(one: Path, two: Path, issues: ExpressionIssues): void {
  for (let index = 0; index < one.length && index < two.length; index += 1) {
    if (typeof one[index] !== typeof two[index]) {
      issues.add('conflict', `Two document paths conflict with each other; ${rewrite(one, two)}`);
      return;
    }
    if (one[index] !== two[index]) return;
  }
  issues.add('overlap', `Two document paths overlap with each other; ${rewrite(one, two)}`);
}

function rewrite(one: Path, two: Path): string {
  return `must remove or rewrite one of these paths; path one: ${pathText(one)}, path two: ${pathText(two)}`;
}
