/** RFC 3339 with Amazon States Language's restrictions: capital `T`, and capital `Z` or an offset. */
export function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}
