/** The address of the console; addresses of screens are below it. */
export const BASE = '/api/console';

/** The address of a screen, such as `to('/runs', { status: 'failed' })`. Values that are empty are left out. */
export function to(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = String(new URLSearchParams(given));
  return `${BASE}${path === '/' ? '' : path}${text && `?${text}`}`;
}
