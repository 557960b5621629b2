import type { Caller } from '../api.ts';
import { ALERTS } from './alerts.ts';
import type { Sent } from './notifications.ts';

/** An alert, and what it was created with. */
export interface WatchedAlert {
  id: string;
  name: string;
  path: string;
  condition: object;
}

/** Everything that a reader may look at, by its place. */
export async function alertPlaces(
  { caller, email }: { caller: Caller; email: string },
  alerts: readonly WatchedAlert[],
  sent: readonly Sent[],
): Promise<Map<string, unknown>> {
  const places = new Map<string, unknown>([
    ['list', (await caller.get(ALERTS)).body],
    ['feed', (await caller.get(`${ALERTS}/feed?limit=200`)).body],
    ['mail', sent.filter(({ to }) => to === email).map(({ mail }) => mail)],
  ]);
  for (const { name, path, condition } of alerts) {
    places.set(`get ${name}`, (await caller.get(path)).body);
    places.set(`history ${name}`, (await caller.get(`${path}/history`)).body);
    places.set(`preview ${name}`, (await caller.post(`${ALERTS}/preview`, { condition })).body);
  }
  return places;
}

/** Which of the numbers are in which places, by their names. */
export function numbersIn(places: ReadonlyMap<string, unknown>, numbers: Readonly<Record<string, number>>): string[] {
  return [...places].flatMap(([place, content]) => {
    const text = JSON.stringify(content).replaceAll(',', '');
    return Object.entries(numbers).flatMap(([name, number]) =>
      text.includes(String(number)) ? [`${name} in ${place}`] : [],
    );
  });
}
