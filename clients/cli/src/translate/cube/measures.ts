import { type Entry, innerEntries } from '../entries.ts';
import { quoted } from '../names.ts';
import { Untranslatable } from '../report.ts';
import { bracketed, type Scope, translateSql } from '../sql.ts';
import { listOf, type Members, membersOf, textOf } from '../values.ts';
import type { Cube, Cubes } from './cubes.ts';
import { memberOf, sqlOf } from './reading.ts';

/** The measures of some cubes. */
export class Measures {
  readonly #cubes: Cubes;
  readonly #repeated: ReadonlySet<string>;
  /** By cube and name; those under way have no name in the model yet. */
  readonly #names = new Map<string, string | undefined>();

  constructor(cubes: Cubes, entries: readonly Entry[]) {
    this.#cubes = cubes;
    this.#repeated = repeatedNames(entries);
  }

  /** Returns its name in the model, unless it cannot be translated. */
  add(cube: Cube, entry: Entry): string | undefined {
    const { model, report } = this.#cubes;
    const name = textOf(entry.members.name) ?? '';
    const key = `${cube.name}.${name}`;
    if (this.#names.has(key)) return this.#names.get(key);
    this.#names.set(key, undefined);
    const made = report.attempt(entry.at(), `measure ${key}`, (checks) => {
      const members = this.#cubes.seen(cube, entry);
      const expression = this.#expressionOf(cube, members, checks);
      const title = textOf(members.title) ?? this.#cubes.nameOf(cube, name);
      return model.addMeasure({
        name: this.#repeated.has(title.toLowerCase()) ? `${cube.name} ${title}` : title,
        expression,
        description: textOf(members.description),
        format: formatOf(members, checks),
        isHidden: this.#cubes.isHidden(cube, members),
      });
    });
    if (made !== undefined) this.#cubes.noteTranslated(cube, name);
    this.#names.set(key, made);
    return made;
  }

  #expressionOf(cube: Cube, members: Members, checks: string[]): string {
    for (const name of ['multi_stage', 'time_shift', 'group_by', 'reduce_by', 'add_group_by', 'case'])
      if (memberOf(members, name) !== undefined) throw new Untranslatable(`${name} has no counterpart.`);
    const type = textOf(members.type) ?? '';
    const filter = this.#filterOf(cube, listOf(members.filters), checks);
    const aggregate = AGGREGATES[type];
    let text: string;
    if (aggregate) {
      if (type === 'count_distinct_approx') checks.push('The platform counts exactly.');
      text = `${aggregate}(${this.#aggregated(cube, members, checks)})${filter}`;
    } else if (type === 'number' || type === 'string' || type === 'time' || type === 'boolean') {
      if (filter !== '') throw new Untranslatable('Filters of measures that combine others have no counterpart.');
      text = translateSql(sqlOf(members), this.#scope(cube, checks)).text;
    } else throw new Untranslatable(`Measures of the type ${type || '(none)'} have no counterpart.`);
    return rolled(text, memberOf(members, 'rolling_window'));
  }

  #aggregated(cube: Cube, members: Members, checks: string[]): string {
    if (textOf(members.sql) !== undefined) return translateSql(sqlOf(members), this.#cubes.rowScope(cube, checks)).text;
    if (cube.table.key === undefined)
      throw new Untranslatable('Rows are counted by their key, and the cube has no single-column key.');
    return cube.table.column(cube.table.key).text;
  }

  #filterOf(cube: Cube, filters: readonly unknown[], checks: string[]): string {
    const scope = this.#cubes.rowScope(cube, checks);
    const conditions = filters.map((filter) => translateSql(sqlOf(membersOf(filter)), scope));
    if (conditions.length === 0) return '';
    return ` FILTER (WHERE ${conditions.length === 1 ? conditions[0]!.text : conditions.map(bracketed).join(' AND ')})`;
  }

  /** Measures by their names, and aggregates in SQL. */
  #scope(cube: Cube, checks: string[]): Scope {
    const rows = this.#cubes.rowScope(cube, checks);
    return {
      ...rows,
      aggregates: true,
      reference: (content, column) => {
        const [first = '', second] = content.split('.');
        const owner = second === undefined || first === 'CUBE' ? cube : this.#cubes.get(first);
        const name = second ?? first;
        const entry = owner && innerEntries(owner.entry, 'measures').find(({ members }) => members.name === name);
        if (!owner || !entry || column !== undefined) return rows.reference(content, column);
        const measure = this.add(owner, entry);
        if (measure === undefined) throw new Untranslatable(`The measure {${content}} is not in the model.`);
        return { text: `{${quoted(measure)}}`, type: 'number', isAtom: true, isAggregate: true };
      },
    };
  }
}

const AGGREGATES: Readonly<Record<string, string>> = {
  count: 'COUNT',
  count_distinct: 'COUNT_DISTINCT',
  count_distinct_approx: 'COUNT_DISTINCT',
  sum: 'SUM',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
};

/** The names of measures that several cubes have, such as `count`. */
function repeatedNames(entries: readonly Entry[]): Set<string> {
  const all = entries.flatMap((entry) =>
    innerEntries(entry, 'measures').map(({ members }) =>
      (textOf(members.title) ?? textOf(members.name) ?? '').toLowerCase(),
    ),
  );
  return new Set(all.filter((name, index) => all.indexOf(name) !== index));
}

function formatOf(members: Members, checks: string[]): Members | undefined {
  const format = textOf(members.format);
  if (format === 'percent') return { kind: 'percent' };
  const currency = textOf(members.currency);
  if (format === 'currency' && currency !== undefined) return { kind: 'currency', currency: currency.toUpperCase() };
  if (format !== undefined) checks.push(`The format "${format}" has no counterpart.`);
  return undefined;
}

function rolled(text: string, window: unknown): string {
  if (window === undefined) return text;
  const { trailing, leading, offset, type } = membersOf(window);
  if (leading !== undefined || (offset !== undefined && offset !== 'end') || type !== undefined)
    throw new Untranslatable('Its rolling window has no counterpart.');
  if (trailing === 'unbounded') return `CUMULATIVE(${text})`;
  const [, count, grain] = /^(\d+)\s+(day|week|month|quarter|year)s?$/i.exec(textOf(trailing) ?? '') ?? [];
  if (!count || !grain) throw new Untranslatable('Its rolling window has no counterpart.');
  return `TRAILING(${text}, "${grain.toLowerCase()}", ${count})`;
}
