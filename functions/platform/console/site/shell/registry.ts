import { whyClosed } from '../data/entitlements.ts';
import { hasRole, knownMe } from '../data/me.ts';
import { BASE } from '../ui/address.ts';
import { bestMatch } from '../ui/path.ts';
import { GROUPS, type Registered, type Screen } from './screen.ts';

interface Placed extends Screen {
  folder: string;
}

let placed: readonly Placed[] = [];

export function register(registered: Registered): void {
  placed = Object.entries(registered).flatMap(([folder, screens]) => screens.map((screen) => ({ ...screen, folder })));
}

export const allScreens = (): readonly Placed[] => placed;

/** Whether the person may see the screen. */
export const isOpenTo = ({ role }: Screen): boolean => role === undefined || hasRole(knownMe(), role);

const isUsable = (screen: Screen): boolean => isOpenTo(screen) && !whyClosed(screen.product);

interface NavigationGroup {
  group: (typeof GROUPS)[number];
  screens: readonly Placed[];
  /** The screens of products that the company cannot use, in words. */
  closed: readonly string[];
}

/** The links of the navigation, by group and in their order. */
export const navigation = (): NavigationGroup[] =>
  GROUPS.map((group) => {
    const seen = ofGroup(group).filter(({ nav }) => nav!.role === undefined || hasRole(knownMe(), nav!.role));
    return { group, screens: seen.filter(isUsable), closed: closedOf(seen) };
  }).filter(({ screens, closed }) => screens.length > 0 || closed.length > 0);

const ofGroup = (group: string): Placed[] =>
  placed
    .filter((screen) => screen.nav?.group === group && isOpenTo(screen))
    .sort((one, other) => one.nav!.order - other.nav!.order);

function closedOf(screens: readonly Screen[]): string[] {
  const reasons = new Set(screens.flatMap(({ product }) => whyClosed(product) ?? []));
  return [...reasons].map((reason) => {
    const titles = screens.filter(({ product }) => whyClosed(product) === reason).map(({ title }) => title);
    return `${titles.join(', ')}: ${reason}`;
  });
}

/** The screens that the palette and the shortcuts open: also those that the navigation leaves out for the role. */
export const openScreens = (): readonly Placed[] => GROUPS.flatMap((group) => ofGroup(group).filter(isUsable));

/** What the menu “New” offers. */
export const creations = (): readonly Placed[] =>
  placed
    .filter((screen) => screen.creates && isUsable(screen))
    .sort((one, other) => one.creates!.order - other.creates!.order);

export interface Found {
  screen: Placed;
  params: Record<string, string>;
}

/** The screen of a path below the console. One without parameters takes precedence. */
export function screenAt(path: string): Found | undefined {
  const found = bestMatch(placed, path);
  if (!found) return undefined;
  const params = Object.entries(found.params).map(([name, value]) => [name, decodeURIComponent(value)]);
  return { screen: found.screen, params: Object.fromEntries(params) };
}

/** The pages outside of the console that show objects. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  story: (id) => `/api/d/stories/${encodeURIComponent(id)}`,
};

/** The address where an object is shown; undefined while no screen shows objects of its type. */
export function addressOf(type: string, id: string): string | undefined {
  const screen = placed.find(({ shows, path }) => [shows].flat().includes(type) && path.includes(':id'));
  if (screen) return BASE + screen.path.replace(':id', encodeURIComponent(id));
  return PAGES[type]?.(id);
}
