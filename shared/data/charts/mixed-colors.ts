/** The first color with a share of the second. Colors are hexadecimal. */
export function mixed(first: string, second: string, share: number): string {
  const [from, to] = [channelsOf(first), channelsOf(second)];
  return `#${from
    .map((value, at) =>
      Math.round(value + (to[at]! - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function channelsOf(color: string): number[] {
  const digits = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit) : color.slice(1).match(/../g)!;
  return digits.map((pair) => Number.parseInt(pair, 16));
}
