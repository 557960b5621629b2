import { type Entry, innerEntries } from '../entries.ts';
import { type Model, Table } from '../model.ts';
import { type Report, Untranslatable } from '../report.ts';
import type { Expression, Scope } from '../sql.ts';
import type { Target } from '../translation.ts';
import { type Members, textOf } from '../values.ts';
import { isHidden, plainColumn, TYPES, tableOf } from './reading.ts';
import type { CubeView } from './views.ts';

export interface Cube {
  name: string;
  entry: Entry;
  table: Table;
}

export interface Destination {
  model: Model;
  target: Target;
  report: Report;
  /** Shows a part of the cubes only. */
  view?: CubeView | undefined;
}

/** The cubes of a model with what became of their members. */
export class Cubes {
  readonly model: Model;
  readonly report: Report;
  readonly view: CubeView | undefined;
  readonly #target: Target;
  readonly #cubes = new Map<string, Cube>();
  /** Members that are in the model, by cube and name. */
  readonly #translated = new Set<string>();
  readonly #taken = new Set<string>();

  constructor(entries: readonly Entry[], { model, target, report, view }: Destination) {
    this.model = model;
    this.report = report;
    this.view = view;
    this.#target = target;
    for (const entry of entries) this.#add(entry);
  }

  get all(): readonly Cube[] {
    return [...this.#cubes.values()];
  }

  get(name: string): Cube | undefined {
    return this.#cubes.get(name);
  }

  #add(entry: Entry): void {
    const name = textOf(entry.members.name) ?? '';
    this.report.attempt(entry.at(), `cube ${name}`, () => {
      if (entry.members.extends !== undefined)
        throw new Untranslatable('Cubes that extend others have no counterpart.');
      const source = tableOf(entry.members);
      const table = new Table(name, { name: source.name, schema: this.#schemaOf(source.schema) }, this.#target.types);
      table.description = textOf(entry.members.description);
      for (const { members } of innerEntries(entry, 'dimensions')) {
        const [column, type] = [plainColumn(members, name), TYPES[textOf(members.type) ?? '']];
        if (column !== undefined && type) table.declareType(column, type);
      }
      this.model.addTable(table);
      this.#cubes.set(name, { name, entry, table });
      declareNumbers({ name, entry, table });
    });
  }

  /** Datasets have none. */
  #schemaOf(written: string | undefined): string | undefined {
    return this.#target.source === 'datasets' ? undefined : (this.#target.schema ?? written);
  }

  noteTranslated(cube: Cube, member: string): void {
    this.#translated.add(`${cube.name}.${member}`);
  }

  has(cube: string, member: string): boolean {
    return this.#translated.has(`${cube}.${member}`);
  }

  /** Whether readers see anything. */
  get isShown(): boolean {
    return this.all.some((cube) =>
      ['dimensions', 'measures', 'segments'].some((list) =>
        innerEntries(cube.entry, list).some(
          ({ members }) => !this.isHidden(cube, members) && this.has(cube.name, textOf(members.name) ?? ''),
        ),
      ),
    );
  }

  nameOf(cube: Cube, member: string): string {
    return this.view?.nameOf(cube.name, member) ?? member;
  }

  isHidden(cube: Cube, members: Members): boolean {
    return isHidden(members) || this.view?.shows(cube.name, textOf(members.name) ?? '') === false;
  }

  /** A member as the view has it. */
  seen({ name: cube }: Cube, { members }: Entry): Members {
    return { ...members, ...this.view?.membersOf(cube, textOf(members.name) ?? '') };
  }

  /** The field of a dimension or segment. */
  field(cube: Cube, member: string): Expression | undefined {
    return cube.table.field(this.nameOf(cube, member));
  }

  /** A view may call a member like another one of its cube. */
  freeName(cube: Cube, member: string): string {
    if (!this.view) return member;
    const name = this.nameOf(cube, member);
    const key = `${cube.name}.${name}`.toLowerCase();
    if (this.#taken.has(key) || (name !== member && cube.table.has(name)))
      throw new Untranslatable(`The table ${cube.name} has another field "${name}".`);
    this.#taken.add(key);
    return name;
  }

  /** Columns of the cube, and dimensions of this cube or another one. */
  rowScope(cube: Cube, checks: string[]): Scope {
    return {
      checks,
      column: (name, of) => {
        if (of !== undefined && of !== cube.name) throw new Untranslatable(`"${of}.${name}" is in another table.`);
        return cube.table.column(name);
      },
      reference: (content, column) => {
        const [first = '', second] = content.split('.');
        const owner = first === 'CUBE' ? cube : this.get(first);
        if (column !== undefined) {
          if (!owner || second !== undefined) throw new Untranslatable(`"{${content}}" is not a cube.`);
          return owner.table.column(column);
        }
        const field = second === undefined ? this.field(cube, first) : owner && this.field(owner, second);
        if (!field) throw new Untranslatable(`"{${content}}" is not a dimension of the model.`);
        return field;
      },
    };
  }
}

/** Sums and means are of numbers, so a column in one needs no other word about its type. */
function declareNumbers({ name, entry, table }: Cube): void {
  for (const { members } of innerEntries(entry, 'measures')) {
    if (members.type !== 'sum' && members.type !== 'avg') continue;
    const column = plainColumn(members, name);
    if (column !== undefined && table.typeOf(column) === undefined) table.declareType(column, 'number');
  }
}
