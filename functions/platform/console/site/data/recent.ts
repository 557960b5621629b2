import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { knownMe } from './me.ts';
import { problemOf } from './problem.ts';
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

/**
 * Of a screen that shows an object: it is among the recent ones as soon as its name is read, and no longer once it is
 * not found, such as after another person has deleted it. The name of an object that is deleted but still read is null.
 */
export function useRecent(type: string, id: string, name: string | null | undefined, error: unknown): void {
  const isMissing = name === null || (error != null && problemOf(error).kind === 'missing');
  useEffect(() => {
    if (isMissing) forget({ type, id });
    else if (name != null) remember({ type, id, name });
  }, [type, id, name, isMissing]);
}

/** When an object is chosen or made. */
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
