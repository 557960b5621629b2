import { type ChartData, drawnValue, EMPTY } from './chart-columns.ts';
import type { Drawn } from './drawn-column.ts';
import { nameText, showValue } from './show-value.ts';

interface TextField {
  at: number;
  name: string;
  write(value: unknown): string;
}

/** The texts that a chart draws instead of its values, each as a field of the rows. */
export class ShownTexts {
  readonly #data: ChartData;
  readonly #fields = new Map<string, TextField>();

  constructor(data: ChartData) {
    this.#data = data;
  }

  /** The field with the values of the column as they are shown. */
  value(drawn: Drawn, format: string | undefined): string {
    return this.#field(drawn, `${drawn.name}_text:${format}`, (value) => showValue(drawn.column, value, format));
  }

  /**
   * The field with the names that the values of the column have on an axis, in a legend or above a chart. Different
   * values have different names.
   */
  name(drawn: Drawn, format: string | undefined): string {
    const { column } = drawn;
    const writeValue = (value: unknown) => nameText(column, value, format) || EMPTY;
    return this.#field(
      drawn,
      `${drawn.name}_name:${format}`,
      this.#isUnique(drawn, writeValue) ? writeValue : plainName,
    );

    function plainName(value: unknown): string {
      return nameText({ ...column, format: null, showAs: undefined }, value) || EMPTY;
    }
  }

  /** The different names of the column, in the order of the rows. */
  names(drawn: Drawn, format: string | undefined): string[] {
    return [...new Set(this.#data.rows.map(this.nameOf(drawn, format)))];
  }

  /** The name of each row in the column. */
  nameOf(drawn: Drawn, format: string | undefined): (row: readonly unknown[]) => string {
    const at = this.#data.columns.indexOf(drawn.column);
    if (drawn.kind === 'other') return (row) => String(drawnValue('other', row[at]) ?? EMPTY);
    const field = this.name(drawn, format);
    const { write } = [...this.#fields.values()].find(({ name }) => name === field)!;
    return (row) => write(row[at]);
  }

  cells(row: readonly unknown[]): Record<string, string> {
    return Object.fromEntries([...this.#fields.values()].map(({ at, name, write }) => [name, write(row[at])]));
  }

  #field({ column }: Drawn, key: string, write: TextField['write']): string {
    const known = this.#fields.get(key);
    if (known) return known.name;
    const name = `t${this.#fields.size}`;
    this.#fields.set(key, { at: this.#data.columns.indexOf(column), name, write });
    return name;
  }

  #isUnique({ column }: Drawn, write: TextField['write']): boolean {
    const at = this.#data.columns.indexOf(column);
    const values = new Set(this.#data.rows.map((row) => row[at]));
    return new Set([...values].map(write)).size === values.size;
  }
}
