import { type Entry, innerEntries } from '../entries.ts';
import type { Table } from '../model.ts';
import { Untranslatable } from '../report.ts';
import { listOf, membersOf, textOf } from '../values.ts';
import type { Cube, Cubes } from './cubes.ts';
import { sqlOf } from './reading.ts';

/** Joins become relationships. */
export function addJoins(cubes: Cubes, cube: Cube): void {
  const { model, report, view } = cubes;
  for (const join of joinsOf(cube.entry)) {
    const name = textOf(join.members.name) ?? '';
    if (view?.joins(cube.name, name) === false) continue;
    report.attempt(join.at(), `join of ${cube.name} and ${name}`, () => {
      const other = cubes.get(name);
      if (!other) throw new Untranslatable(`There is no cube ${name}.`);
      const sides = sqlOf(join.members)
        .split('=')
        .map((side) => endOf(cubes, cube, side.trim()));
      const own = sides.find((side) => side.table === cube.table);
      const joined = sides.find((side) => side.table === other.table);
      if (sides.length !== 2 || !own || !joined)
        throw new Untranslatable('Tables can be joined only where one column of each is equal.');
      declareAlike(own, joined);
      const relationship = (textOf(join.members.relationship) ?? '').toLowerCase().replaceAll('_', '');
      if (/^(manytoone|belongsto)$/.test(relationship))
        model.addRelationship({ from: joined, to: own, cardinality: '1:N' });
      else if (/^(onetomany|hasmany)$/.test(relationship))
        model.addRelationship({ from: own, to: joined, cardinality: '1:N' });
      else if (/^(onetoone|hasone)$/.test(relationship))
        model.addRelationship({ from: own, to: joined, cardinality: '1:1' });
      else throw new Untranslatable('It is not known how many rows match: set its relationship.');
    });
  }
}

/** They are a list, or by the names of the other cubes. */
function joinsOf(cube: Entry): readonly Entry[] {
  const { joins } = cube.members;
  if (Array.isArray(joins)) return innerEntries(cube, 'joins');
  return Object.entries(membersOf(joins)).map(
    ([name, value]): Entry => ({
      members: { name, ...membersOf(value) },
      at: (...path) => cube.at('joins', name, ...path),
    }),
  );
}

interface End {
  table: Table;
  column: string;
}

/** `{CUBE}.user_id`, `{CUBE.user_id}` or `{users.id}`. */
function endOf(cubes: Cubes, cube: Cube, text: string): End {
  const [, first = '', member, column] = /^\$?\{(\w+)(?:\.(\w+))?\}(?:\."?(\w+)"?)?$/.exec(text) ?? [];
  const owner = first === 'CUBE' ? cube : cubes.get(first);
  if (!owner) throw new Untranslatable(`"${text}" is not a column of a cube.`);
  const name = column ?? (member === undefined ? undefined : cubes.field(owner, member)?.column);
  if (name === undefined) throw new Untranslatable(`"${text}" is not a column of a cube.`);
  return { table: owner.table, column: name };
}

/** Columns that are compared are of the same kind. */
function declareAlike(one: End, other: End): void {
  for (const [known, unknown] of [
    [one, other],
    [other, one],
  ] as const) {
    const type = known.table.typeOf(known.column);
    if (type !== undefined && unknown.table.typeOf(unknown.column) === undefined)
      unknown.table.declareType(unknown.column, type);
  }
}

export function addHierarchies(cubes: Cubes, cube: Cube): void {
  for (const hierarchy of innerEntries(cube.entry, 'hierarchies')) {
    const name = textOf(hierarchy.members.title) ?? textOf(hierarchy.members.name) ?? '';
    cubes.report.attempt(hierarchy.at(), `hierarchy ${cube.name}.${name}`, () => {
      const levels = listOf(hierarchy.members.levels).map((level) => {
        const [first = '', second] = String(level).split('.');
        const owner = second === undefined ? cube : cubes.get(first);
        const field = owner && cubes.field(owner, second ?? first);
        const isShown = !owner || cubes.view?.shows(owner.name, second ?? first) !== false;
        if (!field || !isShown) throw new Untranslatable(`Its level ${String(level)} is not in the model.`);
        return { field: field.text.slice(1, -1) };
      });
      if (levels.length < 2) throw new Untranslatable('A hierarchy has at least two levels.');
      cubes.noteTranslated(cube, textOf(hierarchy.members.name) ?? '');
      cubes.model.addHierarchy({ name, levels });
    });
  }
}
