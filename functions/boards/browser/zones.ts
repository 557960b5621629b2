import { byId, el } from './dom.ts';

/** In which time zone the page reads its cards. */
export interface Zones {
  /** What to ask for; undefined leaves it to the server, which knows the zone of the dashboard. */
  wanted(card: { hasOwnZone?: boolean | undefined }): string | undefined;
  /** Tells the reader that the page shows times. */
  shown(): void;
}

/**
 * The reader chooses the zone, and it is in the address, so that links and bookmarks keep it. Otherwise it is that of
 * the dashboard or of the workspace, and without one that of the reader. Metrics have a zone of their own unless the
 * reader chooses another.
 */
export function zonesOf(configured: string | null, onChange: () => void): Zones {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  const chosen = () => new URLSearchParams(location.search).get('timezone') || undefined;
  const usual = configured ?? own;
  const line = byId('zone');
  let isShown = false;
  return {
    wanted: ({ hasOwnZone }) => chosen() ?? (configured === null && !hasOwnZone ? own : undefined),
    shown() {
      if (!line || isShown) return;
      isShown = true;
      const names = [...new Set([usual, own, 'UTC', ...[chosen() ?? []].flat()])];
      const select = el('select', { id: 'zone-choice' });
      const current = chosen() ?? usual;
      for (const name of names) select.append(new Option(name.replaceAll('_', ' '), name, false, name === current));
      select.addEventListener('change', () => {
        const address = new URL(location.href);
        if (select.value === usual) address.searchParams.delete('timezone');
        else address.searchParams.set('timezone', select.value);
        history.replaceState(null, '', address.href);
        keepInTabs(select.value === usual ? undefined : select.value);
        onChange();
      });
      keepInTabs(chosen());
      line.replaceChildren(el('label', { for: 'zone-choice' }, 'Times in'), ' ', select);
      line.hidden = false;
    },
  };
}

/** Opens other pages of the dashboard in the same zone. */
function keepInTabs(zone: string | undefined): void {
  for (const tab of document.querySelectorAll<HTMLAnchorElement>('.tabs a')) {
    const address = new URL(tab.href);
    if (zone === undefined) address.searchParams.delete('timezone');
    else address.searchParams.set('timezone', zone);
    tab.href = address.href;
  }
}
