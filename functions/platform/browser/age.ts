const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago, such as `4 minutes ago`. */
export function ageOf(at: string, now = Date.now()): string {
  const seconds = Math.round((now - Date.parse(at)) / 1000);
  for (const [unit, size] of UNITS) if (seconds >= size) return RELATIVE.format(-Math.floor(seconds / size), unit);
  return 'just now';
}
