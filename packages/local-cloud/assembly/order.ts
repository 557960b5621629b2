import type { Report } from './conform.ts';

/** Sorts ids so that each follows its dependencies and otherwise keeps its place. Reports circular dependencies. */
export function dependencyOrder(ids: string[], dependencies: Map<string, Set<string>>, report: Report): string[] {
  const ordered: string[] = [];
  const known = new Set(ids);
  const settled = new Set<string>();
  const path: string[] = [];
  const visit = (id: string): void => {
    if (settled.has(id)) return;
    const start = path.indexOf(id);
    if (start >= 0) {
      report(id, `depends on itself: ${[...path.slice(start), id].join(' → ')}`);
      return;
    }
    path.push(id);
    for (const dependency of dependencies.get(id) ?? []) {
      if (known.has(dependency)) visit(dependency);
      else report(`${id}.DependsOn`, `there is no resource ${dependency}`);
    }
    path.pop();
    settled.add(id);
    ordered.push(id);
  };
  for (const id of ids) visit(id);
  return ordered;
}
