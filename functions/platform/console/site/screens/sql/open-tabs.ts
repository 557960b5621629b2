import { Tabs } from './tabs.ts';

const opened = new Map<string, Tabs>();

/** The tabs of a person in a workspace; they stay while the page is open. */
export function tabsOf(owner: string): Tabs {
  const known = opened.get(owner);
  if (known) return known;
  const tabs = new Tabs(owner, localStorage, sessionStorage);
  addEventListener('pagehide', () => tabs.flush());
  opened.set(owner, tabs);
  return tabs;
}
