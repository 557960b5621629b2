const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:']);

/** The value as an address that a link may have. Undefined for others, above all for those that would run code. */
export function safeAddress(value: unknown): string | undefined {
  const address = typeof value === 'string' ? URL.parse(value.trim()) : null;
  return address && SCHEMES.has(address.protocol) ? address.href : undefined;
}
