import type { Issue } from '../errors/app-error.ts';

/** The syntax of a header name (RFC 9110). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that frame the request; setting one could smuggle a second request or reach another host. */
const FRAMING = /^(host|content-length|transfer-encoding|connection|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;
const MAX_BYTES = 4096;

export const isFramingHeader = (name: string) => FRAMING.test(name);

/** Issues of custom headers. Names that the service sets itself are accepted, but overwritten. */
export function findHeaderIssues(headers: Record<string, string>): Issue[] {
  const issues: Issue[] = [];
  let bytes = 0;
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    const pointer = `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!TOKEN.test(name)) issues.push({ pointer, code: 'HEADER_NAME', message: 'is not a valid header name' });
    else if (FRAMING.test(name))
      issues.push({ pointer, code: 'HEADER_RESERVED', message: 'cannot be set, because the connection sets it' });
    if (seen.has(name.toLowerCase()))
      issues.push({ pointer, code: 'DUPLICATE', message: 'is a duplicate: header names ignore case' });
    seen.add(name.toLowerCase());
    // Visible characters, spaces and tabs; in particular no line breaks.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      issues.push({ pointer, code: 'HEADER_VALUE', message: 'has characters that are not allowed in a header' });
    }
  }
  if (bytes > MAX_BYTES) {
    issues.push({ pointer: '/headers', code: 'TOO_LARGE', message: `must have at most ${MAX_BYTES} bytes in total` });
  }
  return issues;
}
