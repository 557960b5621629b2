import { type Entry, innerEntries } from '../entries.ts';
import { Untranslatable } from '../report.ts';
import { type Expression, translateSql } from '../sql.ts';
import { listOf, type Members, membersOf, textOf } from '../values.ts';
import type { Cube, Cubes } from './cubes.ts';
import { memberOf, plainColumn, sqlOf, TYPES } from './reading.ts';

/** Dimensions and segments become fields. Those that are columns come first, because expressions read them. */
export function addFields(cubes: Cubes): void {
  for (const cube of cubes.all) addColumns(cubes, cube);
  for (const cube of cubes.all) addCalculated(cubes, cube);
  for (const cube of cubes.all) addSegments(cubes, cube);
}

function addColumns(cubes: Cubes, cube: Cube): void {
  const { name, entry, table } = cube;
  for (const dimension of innerEntries(entry, 'dimensions')) {
    const members = cubes.seen(cube, dimension);
    const column = plainColumn(members, name);
    const field = textOf(members.name) ?? '';
    if (column === undefined) continue;
    cubes.report.attempt(dimension.at(), `dimension ${name}.${field}`, (checks) => {
      checkType(members);
      table.addColumn({ name: cubes.freeName(cube, field), column, ...shownOf(cubes, cube, members, checks) });
      cubes.noteTranslated(cube, field);
      if (isKey(members)) table.key = keysOf(entry) === 1 ? column : undefined;
    });
  }
}

function addCalculated(cubes: Cubes, cube: Cube): void {
  for (const dimension of innerEntries(cube.entry, 'dimensions')) {
    const members = cubes.seen(cube, dimension);
    const name = textOf(members.name) ?? '';
    if (plainColumn(members, cube.name) !== undefined) continue;
    cubes.report.attempt(dimension.at(), `dimension ${cube.name}.${name}`, (checks) => {
      checkType(members);
      if (memberOf(members, 'sub_query') === true)
        throw new Untranslatable('Dimensions of measures (sub_query) have no counterpart.');
      const sql = members.case === undefined ? sqlOf(members) : caseOf(membersOf(members.case));
      const expression = translateSql(sql, cubes.rowScope(cube, checks));
      if (expression.type === 'unknown') throw new Untranslatable('The type of its expression is unknown.');
      addField(cubes, cube, members, expression, checks);
    });
  }
}

/** A condition becomes a field that says whether it holds: questions filter by it. */
function addSegments(cubes: Cubes, cube: Cube): void {
  for (const segment of innerEntries(cube.entry, 'segments')) {
    const members = cubes.seen(cube, segment);
    const name = textOf(members.name) ?? '';
    cubes.report.attempt(segment.at(), `segment ${cube.name}.${name}`, (checks) => {
      const expression = translateSql(sqlOf(members), cubes.rowScope(cube, checks));
      if (expression.type !== 'boolean') throw new Untranslatable('It is not a condition.');
      if (cubes.field(cube, name)) throw new Untranslatable(`The table ${cube.name} has another field "${name}".`);
      addField(cubes, cube, members, expression, checks);
    });
  }
}

function addField(cubes: Cubes, cube: Cube, members: Members, { type, text }: Expression, checks: string[]): void {
  const name = textOf(members.name) ?? '';
  cube.table.add({
    ...{ name: cubes.freeName(cube, name), type, expression: text },
    ...shownOf(cubes, cube, members, checks),
  });
  cubes.noteTranslated(cube, name);
}

function checkType({ type }: Members): void {
  if (!TYPES[textOf(type) ?? '']) throw new Untranslatable(`The type ${textOf(type)} has no counterpart.`);
}

function shownOf(cubes: Cubes, cube: Cube, members: Members, checks: string[]) {
  const format = textOf(members.format);
  if (format !== undefined && format !== 'percent') checks.push(`The format "${format}" has no counterpart.`);
  return {
    description: textOf(members.description),
    isHidden: cubes.isHidden(cube, members) ? true : undefined,
    format: format === 'percent' ? 'percent' : undefined,
  };
}

function caseOf(members: Members): string {
  const label = (value: unknown) => {
    const text = textOf(membersOf(value).label ?? value);
    if (text === undefined) throw new Untranslatable('A label of its cases is not a text.');
    return `'${text.replaceAll("'", "''")}'`;
  };
  const whens = listOf(members.when).map(
    (each) => `WHEN ${sqlOf(membersOf(each))} THEN ${label(membersOf(each).label)}`,
  );
  const other = members.else === undefined ? '' : ` ELSE ${label(members.else)}`;
  return `CASE ${whens.join(' ')}${other} END`;
}

const isKey = (members: Members): boolean => memberOf(members, 'primary_key') === true;

const keysOf = (entry: Entry): number =>
  innerEntries(entry, 'dimensions').filter(({ members }) => isKey(members)).length;
