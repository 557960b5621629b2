import { type ChartColumn, kindOf } from './chart-columns.ts';
import type { ChartLook } from './chart-look.ts';

/** The columns of numbers with the formats that the chart gives them, for places that show rows without the chart. */
export function withLookFormats<C extends ChartColumn>(
  columns: readonly C[],
  look: Pick<ChartLook, 'mark' | 'encoding' | 'layer'> | null | undefined,
): C[] {
  if (!look) return [...columns];
  const encodings = look.layer ? look.layer.map(({ encoding }) => encoding) : [look.encoding ?? {}];
  const shown: { field: string; format?: string }[] = [
    ...(look.mark.columns ?? []),
    ...encodings.flatMap((encoding) => Object.values(encoding).flat()),
  ];
  return columns.map((column) => {
    if (kindOf(column) !== 'number') return column;
    const format = shown.find(
      ({ field, format }) => (field === column.name || field === column.pivot?.measure) && format !== undefined,
    )?.format;
    return format === undefined ? column : { ...column, showAs: format };
  });
}
