import { describe, expect, it } from 'vitest';
import { movesOf } from '../../src/definitions/moves.ts';
import type { Entry } from '../../src/definitions/plan.ts';
import type { LocalFile, Project } from '../../src/definitions/project.ts';

const file = (key: string, digest: string) =>
  ({ kind: 'query', key, digest, path: `queries/${key}.yaml` }) as unknown as LocalFile;
const entry = (key: string, fileDigest: string, project = 'shop') =>
  ({ kind: 'query', key, managedBy: { project }, applied: { fileDigest } }) as unknown as Entry;
const named = <T extends { kind: string; key: string }>(all: T[]) =>
  new Map(all.map((each) => [`${each.kind}/${each.key}`, each]));

const moves = (files: LocalFile[], entries: Entry[], moved: [string, string][] = []) =>
  movesOf({ name: 'shop', files: named(files), moved: new Map(moved) } as unknown as Project, named(entries)).map(
    ({ from, file: to, isDeclared }) => `${from.key} → ${to.key}${isDeclared ? '' : '?'}`,
  );

describe('the moves of a project', () => {
  it('are those that it declares, also over several steps, and those with the same content', () => {
    const declared: [string, string][] = [
      ['query/a', 'query/b'],
      ['query/b', 'query/c'],
    ];
    expect(moves([file('c', 'new'), file('y', '1')], [entry('a', 'old'), entry('x', '1')], declared)).toEqual([
      'a → c',
      'x → y?',
    ]);
    expect(moves([file('c', 'new')], [entry('b', 'old')], declared)).toEqual(['b → c']);
  });

  it('are none where the content does not tell, the file is still there, or another project manages the object', () => {
    expect(moves([file('y', '1'), file('z', '1')], [entry('x', '1')])).toEqual([]);
    expect(moves([file('y', '1')], [entry('x', '1'), entry('w', '1')])).toEqual([]);
    expect(moves([file('x', '1'), file('y', '1')], [entry('x', '1')])).toEqual([]);
    expect(moves([file('y', '1')], [entry('x', '1', 'desk')])).toEqual([]);
    expect(moves([file('y', '2')], [entry('x', '1')])).toEqual([]);
    expect(moves([file('b', '1')], [entry('a', '1'), entry('b', '1')], [['query/a', 'query/b']])).toEqual([]);
  });
});
