import type { ChartColumn } from './chart-columns.ts';
import type { Encoding } from './chart-look.ts';
import { shownValue } from './shown-value.ts';

type Shown = NonNullable<Encoding['tooltip']>[number];

/** The values of a row as its mark names them, such as `Region: North; Sales: 12`. */
export const rowLabel = (shown: readonly Shown[], columns: readonly ChartColumn[], row: readonly unknown[]): string =>
  shown
    .flatMap(({ field, title, format }) => {
      const at = columns.findIndex(({ name }) => name === field);
      return at < 0 ? [] : [`${title ?? field}: ${shownValue(columns[at]!, row[at], format)}`];
    })
    .join('; ');
