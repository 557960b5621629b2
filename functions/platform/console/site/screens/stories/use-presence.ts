import { useEffect, useRef, useState } from 'preact/hooks';
import { api, type Types } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';

const EVERY_MS = 15_000;

/** The lock of this tab. */
export interface Held {
  sectionId: string | undefined;
  lockId: string | undefined;
}

/**
 * Tells others that the person has the draft open, renews the lock, and learns who else writes where. Sections that
 * others have changed are read again.
 */
export function usePresence(storyId: string, { held, enabled }: { held: Held; enabled: boolean }) {
  const [presence, setPresence] = useState<Types.StoryPresence>();
  const [lost, setLost] = useState<string>();
  const latest = useRef(held);
  latest.current = held;
  const seen = useRef('');
  useEffect(() => {
    if (!enabled) return;
    let isOpen = true;
    const report = async () => {
      if (document.hidden) return;
      const { sectionId, lockId } = latest.current;
      try {
        const body = { ...(sectionId !== undefined && { sectionId }), ...(lockId !== undefined && { lockId }) };
        const next = await api.stories.reportPresence(storyId, body);
        if (!isOpen) return;
        setPresence(next);
        setLost(lockId !== undefined && next.lock?.lockId !== lockId ? sectionId : undefined);
        const edits = JSON.stringify(next.sections.map(({ id, editSeq }) => [id, editSeq]));
        if (seen.current !== '' && seen.current !== edits) void refreshQueries(['stories', storyId]);
        seen.current = edits;
      } catch {
        // The next report follows; what cannot be saved says so itself.
      }
    };
    void report();
    const timer = setInterval(() => void report(), EVERY_MS);
    return () => {
      isOpen = false;
      clearInterval(timer);
    };
  }, [storyId, enabled]);
  return {
    viewers: presence?.viewers ?? [],
    lost,
    /** As of the last report, or of the story before the first one. */
    lockOf: ({ id, lock }: Types.StorySection): Types.StorySectionLock | null => {
      const known = presence?.sections.find((section) => section.id === id);
      return known ? known.lock : lock;
    },
  };
}
