import { type Entry, innerEntries } from '../entries.ts';
import { quoted } from '../names.ts';
import { type Report, Untranslatable } from '../report.ts';
import { isMembers, listOf, type Members, membersOf, textOf } from '../values.ts';

/** A member of a cube that a view names, with what it says of it. */
interface Included {
  member: string;
  /** Name, title, description and format in the view. */
  members: Members;
}

interface Part {
  entry: Entry;
  /** Absent for all members but the excluded ones. */
  includes: readonly Included[] | undefined;
  excludes: ReadonlySet<string>;
  /** What stands before the names of its members. */
  prefix: string;
}

/** What a view shows of its cubes. */
export class CubeView {
  readonly name: string;
  readonly #parts = new Map<string, Part>();
  /** Every cube on a path, and the pairs that the paths join. */
  readonly #cubes = new Set<string>();
  readonly #joins = new Set<string>();

  /** Throws `Untranslatable`. */
  constructor(entry: Entry) {
    const { members } = entry;
    this.name = textOf(members.name) ?? '';
    for (const [member, reason] of Object.entries(REFUSED))
      if (members[member] !== undefined) throw new Untranslatable(reason);
    if (members.public === false) throw new Untranslatable('It is not public.');
    for (const part of innerEntries(entry, 'cubes')) this.#addPart(part);
    if (this.#parts.size === 0) throw new Untranslatable('It names no cubes.');
  }

  #addPart(entry: Entry): void {
    const { members } = entry;
    const path = (textOf(members.join_path ?? members.joinPath) ?? '').split('.');
    const cube = path.at(-1)!;
    if (this.#parts.has(cube)) throw new Untranslatable(`It reaches the cube ${cube} twice.`);
    for (const [index, each] of path.entries()) {
      this.#cubes.add(each);
      if (index > 0) this.#joins.add(pairOf(path[index - 1]!, each));
    }
    const includes = members.includes === '*' ? undefined : listOf(members.includes).map(includedOf);
    this.#parts.set(cube, {
      entry,
      includes,
      excludes: new Set(listOf(members.excludes).map(String)),
      prefix: members.prefix === true ? `${textOf(members.alias) ?? cube}_` : '',
    });
  }

  get cubes(): ReadonlySet<string> {
    return this.#cubes;
  }

  joins(one: string, other: string): boolean {
    return this.#joins.has(pairOf(one, other));
  }

  shows(cube: string, member: string): boolean {
    const part = this.#parts.get(cube);
    if (!part || part.excludes.has(member)) return false;
    return part.includes === undefined || part.includes.some((each) => each.member === member);
  }

  /** The name under which a member is shown; hidden ones keep theirs. */
  nameOf(cube: string, member: string): string {
    if (!this.shows(cube, member)) return member;
    const { prefix = '' } = this.#parts.get(cube) ?? {};
    return `${prefix}${textOf(this.#included(cube, member).alias) ?? member}`;
  }

  /** What the view says of a member in place of its cube. */
  membersOf(cube: string, member: string): Members {
    const { title, description, format } = this.#included(cube, member);
    return {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(format !== undefined && { format }),
    };
  }

  #included(cube: string, member: string): Members {
    return this.#parts.get(cube)?.includes?.find((each) => each.member === member)?.members ?? {};
  }

  /** Notes members that the view names, and the model does not have. */
  noteMissing(report: Report, has: (cube: string, member: string) => boolean): void {
    for (const [cube, { entry, includes = [] }] of this.#parts)
      for (const [index, { member }] of includes.entries())
        if (!has(cube, member))
          report.unmapped(
            entry.at('includes', index),
            `${cube}.${member} of view ${this.name}`,
            'The cube has no such member that could be translated.',
          );
  }
}

const REFUSED: Readonly<Record<string, string>> = {
  extends: 'Views that extend others have no counterpart.',
  includes: 'It is in an older form; list its members below its cubes.',
  excludes: 'It is in an older form; list its members below its cubes.',
  access_policy: 'Row-level security is set on the platform, by an admin.',
  accessPolicy: 'Row-level security is set on the platform, by an admin.',
};

const pairOf = (one: string, other: string): string => [one, other].sort().join(' ');

function includedOf(value: unknown): Included {
  const members = isMembers(value) ? value : { name: value };
  return { member: textOf(members.name) ?? '', members };
}

/** The model without hidden fields and measures that nothing in it needs. */
export function withoutUnused(model: Members): Members {
  let [tables, measures] = [listOf(model.tables).map(membersOf), listOf(model.measures).map(membersOf)];
  const ends = [
    ...listOf(model.relationships).flatMap((each) => [membersOf(each).from, membersOf(each).to]),
    ...listOf(model.hierarchies).flatMap((each) =>
      listOf(membersOf(each).levels).map((level) => membersOf(level).field),
    ),
  ].map((end) => `[${String(end)}]`);
  for (let count = -1; count !== sizeOf(tables, measures); ) {
    count = sizeOf(tables, measures);
    const expressions = [...tables.flatMap((table) => listOf(table.fields).map(membersOf)), ...measures].map(
      ({ expression }) => textOf(expression) ?? '',
    );
    const used = [...ends, ...expressions].join('\n');
    measures = measures.filter(({ isHidden, name }) => !isHidden || used.includes(`{${quoted(String(name))}}`));
    tables = tables
      .map((table) => ({
        ...table,
        fields: listOf(table.fields)
          .map(membersOf)
          .filter(
            ({ isHidden, name }) =>
              !isHidden || used.includes(`[${quoted(String(table.alias))}.${quoted(String(name))}]`),
          ),
      }))
      .filter(({ fields }) => fields.length > 0);
  }
  return { ...model, tables, ...(measures.length > 0 ? { measures } : { measures: undefined }) };
}

const sizeOf = (tables: readonly Members[], measures: readonly Members[]): number =>
  measures.length + tables.reduce((sum, { fields }) => sum + listOf(fields).length, 0);
