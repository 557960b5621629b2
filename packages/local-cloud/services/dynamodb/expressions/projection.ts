import { LruCache } from '../lru-cache.ts';
import type { AttributeValue, Item } from '../values.ts';
import { ExpressionIssues } from './issues.ts';
import { bindPath, type Path, rejectOverlaps } from './paths.ts';
import type { Placeholders } from './placeholders.ts';
import { parseProjection } from './projection-parser.ts';
import type { PathSyntax } from './syntax.ts';

const cache = new LruCache<string, PathSyntax[]>(2000);

/** Compiles a `ProjectionExpression`. Throws `ValidationException`. */
export function bindProjection(text: string, placeholders: Placeholders): Path[] {
  const issues = new ExpressionIssues('ProjectionExpression');
  const paths = cache.get(text, parseProjection).map((path) => bindPath(path, placeholders, issues));
  rejectOverlaps(paths, issues);
  issues.throwFirst();
  return paths;
}

/** What to include below one place: everything, or the named members. */
type Selection = Map<string | number, Selection> | 'all';

/** The parts of `item` at `paths`, in their places; gaps in lists close. */
export function project(item: Item, paths: Path[]): Item {
  const root = new Map<string | number, Selection>();
  for (const path of paths) {
    let place = root;
    path.forEach((part, index) => {
      const last = index === path.length - 1;
      const below = place.get(part) ?? (last ? 'all' : new Map<string | number, Selection>());
      place.set(part, below);
      if (below !== 'all') place = below;
    });
  }
  return selectMembers(item, root);
}

function selectMembers(map: Item, selection: Map<string | number, Selection>): Item {
  const result: Item = {};
  for (const [name, below] of selection) {
    const value = typeof name === 'string' && Object.hasOwn(map, name) ? map[name] : undefined;
    const selected = value && select(value, below);
    if (selected) result[name] = selected;
  }
  return result;
}

function select(value: AttributeValue, selection: Selection): AttributeValue | undefined {
  if (selection === 'all') return value;
  if (value.M) {
    const members = selectMembers(value.M, selection);
    return Object.keys(members).length > 0 ? { M: members } : undefined;
  }
  if (!value.L) return undefined;
  const indexes = [...selection.keys()].filter((key) => typeof key === 'number').sort((a, b) => a - b);
  const elements: AttributeValue[] = [];
  for (const index of indexes) {
    const element = value.L[index];
    const selected = element && select(element, selection.get(index) as Selection);
    if (selected) elements.push(selected);
  }
  return elements.length > 0 ? { L: elements } : undefined;
}
