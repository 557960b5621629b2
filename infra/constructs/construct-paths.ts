import { Construct } from 'constructs';

/** The scope and id of a construct with this path below `root`. */
export function placed(root: Construct, path: string): [scope: Construct, id: string] {
  const parts = path.split('/');
  const id = parts.pop()!;
  return [parts.reduce<Construct>(scopeIn, root), id];
}

export function scopeIn(parent: Construct, id: string): Construct {
  return (parent.node.tryFindChild(id) as Construct | undefined) ?? new Construct(parent, id);
}

export function pascalCase(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase());
}
