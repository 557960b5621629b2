/** A tenth of a pixel is enough for borders, and lines that go on from the point before take half of the characters. */
export const withShortPaths = (svg: string): string =>
  svg.replace(/ d="(M[-\d.,MLZ]+)"/g, (_, path: string) => ` d="${shortPath(path)}"`);

/** Takes paths of straight lines alone; others stay as they are. */
export function shortPath(path: string): string {
  let [x, y] = [0, 0];
  const rings = path.split(/(?=M)/).map((ring) => {
    const isClosed = ring.endsWith('Z');
    const points = ring
      .replace(/[MZ]/g, '')
      .split('L')
      .map((point) => point.split(',').map((value) => Math.round(Number(value) * 10)) as [number, number]);
    const [first, ...others] = points;
    [x, y] = first!;
    const steps = others.flatMap(([nextX, nextY]) => {
      const step = [nextX - x, nextY - y];
      [x, y] = [nextX, nextY];
      return step[0] === 0 && step[1] === 0 ? [] : [`${tenths(step[0]!)},${tenths(step[1]!)}`];
    });
    // A ring without extent is no place that can be seen.
    return isClosed && steps.length < 2
      ? ''
      : `M${tenths(first![0])},${tenths(first![1])}${steps.length > 0 ? `l${steps.join(' ')}` : ''}${isClosed ? 'Z' : ''}`;
  });
  return rings.join('');
}

const tenths = (value: number): string => String(value / 10).replace(/^(-?)0\./, '$1.');
