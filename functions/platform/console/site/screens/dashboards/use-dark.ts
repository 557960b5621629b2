import { useEffect, useState } from 'preact/hooks';
import { isDark } from '../../../../../boards/browser/cards.ts';

/** Whether the page is dark now: pictures of charts are drawn for one or the other. */
export function useDark(): boolean {
  const [dark, setDark] = useState(isDark());
  useEffect(() => {
    const observer = new MutationObserver(() => setDark(isDark()));
    observer.observe(document.body, { attributeFilter: ['class'] });
    return () => observer.disconnect();
  }, []);
  return dark;
}
