import { hasUnsaved } from './unsaved.ts';

const RELOADED = 'reloaded-at';
const RELOAD_PAUSE_MS = 60_000;

/**
 * Loads a script of the console: `loadScript(() => import('./editor.ts'))`. After an upgrade the files of this page are
 * gone, and the page is loaded again once: the new page has those of the new version. Nothing that is not saved is lost
 * by it. Otherwise it fails with a sentence for people.
 */
export const loadScript = <T>(load: () => Promise<T>): Promise<T> => load().catch(reloadOnce);

function reloadOnce(cause: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (hasUnsaved() || Date.now() - last < RELOAD_PAUSE_MS)
    throw new Error('This part of the console could not be loaded. Check your connection and reload the page.', {
      cause,
    });
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return new Promise(() => {});
}
