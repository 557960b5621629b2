/**
 * The closed ranges of IPv4 as first and last address: written again here, so that a slip in the guard's list shows.
 */
export const CLOSED_IPV4: [from: number, to: number][] = (
  [
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['168.63.129.16', '168.63.129.16'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
  ] as const
).map(([from, to]) => [asNumber(from), asNumber(to)]);

function asNumber(text: string): number {
  return text.split('.').reduce((all, byte) => all * 256 + Number(byte), 0);
}

const bytes = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff);
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
const groups = (address: number) => `${hex(address >>> 16, 4)}:${hex(address & 0xffff, 4)}`;
export const dotted = (address: number) => bytes(address).join('.');

/** Spellings that mean the IPv4 address itself. */
export const IPV4_NOTATIONS: ((address: number) => string)[] = [
  dotted,
  (address) => `${dotted(address)}.`,
  (address) => String(address),
  (address) => `0x${address.toString(16)}`,
  (address) => `0X${hex(address, 16).toUpperCase()}`,
  (address) => `0${address.toString(8)}`,
  (address) =>
    bytes(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  (address) =>
    bytes(address)
      .map((byte) => `0x${hex(byte, 3)}`)
      .join('.'),
  (address) => `${address >>> 24}.${address & 0xff_ffff}`,
  (address) => `0x${hex(address >>> 24, 2)}.${(address >>> 16) & 0xff}.0${(address & 0xffff).toString(8)}`,
  (address) => dotted(address).replaceAll('.', '。'),
  (address) => dotted(address).replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (address) => dotted(address).replaceAll(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
];

/** And the spellings of IPv6 addresses that lead to it. */
export const NOTATIONS: ((address: number) => string)[] = [
  ...IPV4_NOTATIONS,
  (address) => `::ffff:${dotted(address)}`,
  (address) => `[::FFFF:${groups(address)}]`,
  (address) => `0:0:0:0:0:ffff:${groups(address)}`,
  (address) => `::${address > 0xffff ? dotted(address) : '127.0.0.1'}`,
  (address) => `::ffff:0:${dotted(address)}`,
  (address) => `64:ff9b::${dotted(address)}`,
  (address) => `64:ff9b:1::${groups(address)}`,
  (address) => `64:ff9b:1:${groups(address)}::`,
  (address) => `2002:${groups(address)}::1`,
  (address) => `2001:0:${groups(address)}::`,
  (address) => `2001:0:808:808:0:0:${groups(~address >>> 0)}`,
  (address) => `2606:4700::5efe:${dotted(address)}`,
];
