export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Boxes with areas in proportion to the values, as square as possible (Bruls, Huizing, van Wijk). Takes values in
 * falling order.
 */
export function squarify(values: readonly number[], { x, y, width, height }: Box): Box[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  const scale = total > 0 ? (width * height) / total : 0;
  const areas = values.map((value) => value * scale);
  const boxes: Box[] = [];
  let rest: Box = { x, y, width, height };
  for (let start = 0; start < areas.length; ) {
    const side = Math.min(rest.width, rest.height);
    let end = start + 1;
    while (end < areas.length && worst(areas.slice(start, end + 1), side) <= worst(areas.slice(start, end), side))
      end += 1;
    const row = areas.slice(start, end);
    boxes.push(...placeRow(row, rest));
    rest = without(row, rest);
    start = end;
  }
  return boxes;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** The largest ratio of the sides of the boxes of a row. */
function worst(row: readonly number[], side: number): number {
  const sum = sumOf(row);
  if (sum === 0 || side === 0) return Number.POSITIVE_INFINITY;
  return Math.max((side ** 2 * Math.max(...row)) / sum ** 2, sum ** 2 / (side ** 2 * Math.min(...row)));
}

function placeRow(row: readonly number[], { x, y, width, height }: Box): Box[] {
  const isUpright = width >= height;
  const side = isUpright ? height : width;
  const depth = side > 0 ? sumOf(row) / side : 0;
  let offset = 0;
  return row.map((area) => {
    const length = depth > 0 ? area / depth : 0;
    const box = isUpright
      ? { x, y: y + offset, width: depth, height: length }
      : { x: x + offset, y, width: length, height: depth };
    offset += length;
    return box;
  });
}

function without(row: readonly number[], { x, y, width, height }: Box): Box {
  const isUpright = width >= height;
  const side = isUpright ? height : width;
  const depth = side > 0 ? sumOf(row) / side : 0;
  return isUpright
    ? { x: x + depth, y, width: Math.max(0, width - depth), height }
    : { x, y: y + depth, width, height: Math.max(0, height - depth) };
}
