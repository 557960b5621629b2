import type { ChartColumn, ValueKind } from './chart-columns.ts';

/** A column under the name that it has in the specification of Vega-Lite. */
export interface Drawn {
  column: ChartColumn;
  name: string;
  kind: ValueKind;
  /** Numbers with so many digits that an axis writes them as their values are shown. */
  isExtreme?: boolean;
  /** The size of the largest number. */
  size?: number;
  /** The least and the largest number, as they are shown. */
  span?: readonly [string, string];
}
