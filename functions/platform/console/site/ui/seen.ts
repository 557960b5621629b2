import { useEffect, useState } from 'preact/hooks';

/** Whether the element has been in the window, so that what takes long is only done for what is looked at. */
export function useSeen(element: { current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}
