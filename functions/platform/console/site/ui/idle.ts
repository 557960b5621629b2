import { useEffect, useState } from 'preact/hooks';

const MAX_WAIT_MS = 2_000;

/** Whether the page has been idle for a moment. Until then, requests that no one waits for are put off. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has none.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(() => setIdle(true), MAX_WAIT_MS);
      return () => clearTimeout(timer);
    }
    const waiting = requestIdleCallback(() => setIdle(true), { timeout: MAX_WAIT_MS });
    return () => cancelIdleCallback(waiting);
  }, []);
  return isIdle;
}
