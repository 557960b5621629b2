import { signal } from '@preact/signals';
import { knownMe } from './me.ts';
import { session } from './session.ts';

/** An object that the person has opened in this browser. */
export interface Recent {
  type: string;
  id: string;
  name: string;
}

const MAX = 12;
/** Of one person in one workspace: others may sign in with the same browser. */
const key = () => `recent ${session.value?.workspaceId} ${knownMe()?.user.id}`;
/** Counts changes, so that lists show them. */
const changes = signal(0);

/** Newest first, of this workspace. */
export function recentItems(): readonly Recent[] {
  void changes.value;
  try {
    const kept = JSON.parse(localStorage.getItem(key()) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** A screen calls it when it shows an object. */
export function remember(item: Recent): void {
  const others = recentItems().filter(({ type, id }) => type !== item.type || id !== item.id);
  localStorage.setItem(key(), JSON.stringify([item, ...others].slice(0, MAX)));
  changes.value += 1;
}

/** A screen calls it when it has deleted an object. */
export function forget(item: Pick<Recent, 'type' | 'id'>): void {
  const others = recentItems().filter(({ type, id }) => type !== item.type || id !== item.id);
  localStorage.setItem(key(), JSON.stringify(others));
  changes.value += 1;
}
