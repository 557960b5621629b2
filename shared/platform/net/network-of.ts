import { isIPv6 } from 'node:net';

/** The network that counts as one address: for IPv6 a /64, the smallest network of a customer. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : 8 - left!.length - right!.length;
  return [...left!, ...Array(zeros).fill('0'), ...right!].slice(0, 4).join(':');
}
