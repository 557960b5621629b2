import type { Issue } from '../errors/app-error.ts';

/** A header name as RFC 9110 allows it. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that frame the request; setting one could smuggle a second request or reach another host. */
const FRAMING = /^(host|content-length|transfer-encoding|connection|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;
const MAX_BYTES = 4096;

export const isFramingHeader = (name: string) => FRAMING.test(name);

/** Issues of custom headers. Names that the service sets itself are accepted, and overwritten when it sends. */
export function findHeaderIssues(headers: Record<string, string>): Issue[] {
  const issues: Issue[] = [];
  let bytes = 0;
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    const pointer = `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!TOKEN.test(name)) issues.push({ pointer, code: 'HEADER_NAME', message: 'is not a header name' });
    else if (FRAMING.test(name))
      issues.push({ pointer, code: 'HEADER_RESERVED', message: 'is set by the connection itself' });
    if (seen.has(name.toLowerCase())) issues.push({ pointer, code: 'DUPLICATE', message: 'is given twice' });
    seen.add(name.toLowerCase());
    // Visible characters, spaces and tabs; above all no line ends.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      issues.push({ pointer, code: 'HEADER_VALUE', message: 'has characters that a header cannot carry' });
    }
  }
  if (bytes > MAX_BYTES) {
    issues.push({ pointer: '/headers', code: 'TOO_LARGE', message: `may have ${MAX_BYTES} bytes in all` });
  }
  return issues;
}
