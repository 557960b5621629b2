import type { ComponentType } from 'preact';
import lazy from 'preact-iso/lazy';
import { config } from '../ui/config.ts';
import { loadScript } from '../ui/loading.ts';
import { allScreens } from './registry.ts';
import type { Screen, ScreenProps } from './screen.ts';

type Loaded = ComponentType<ScreenProps> & { preload(): Promise<unknown> };

const known = new Map<string, Loaded>();
/** The paths of the screens that are shown without waiting. */
const loaded = new Set<string>();

export const isLoaded = ({ path }: Screen): boolean => loaded.has(path);

/** The component of the screen, which is loaded with its style sheet when it is first shown. */
export function lazyScreen(screen: Screen & { folder: string }): Loaded {
  const cached = known.get(screen.path);
  if (cached) return cached;
  const component = lazy(async () => {
    // The screen itself shows what it cannot load.
    screen.parts?.().catch(() => {});
    const [module] = await Promise.all([loadScript(screen.load), loadStyle(config.styles[screen.folder])]);
    loaded.add(screen.path);
    return module;
  }) as unknown as Loaded;
  known.set(screen.path, component);
  return component;
}

/** Loads what a link leads to before it is clicked. */
export function preloadScreen(path: string): void {
  const screen = allScreens().find((each) => each.path === path);
  if (screen)
    void lazyScreen(screen)
      .preload()
      .catch(() => {});
}

/** The style sheets of screens, by their addresses, and when they are loaded. */
const styles = new Map<string, { link: HTMLLinkElement; loaded: Promise<void> }>();
const NO_MEDIA = 'not all';

/** Applies the style sheet of one screen only: screens use the same class names for different things. */
export function applyStyle({ folder }: { folder: string }): void {
  for (const [address, { link }] of styles) link.media = address === config.styles[folder] ? 'all' : NO_MEDIA;
}

function loadStyle(address: string | undefined): Promise<void> {
  if (address === undefined) return Promise.resolve();
  const known = styles.get(address);
  if (known) return known.loaded;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  // Not yet: a pointer over a link loads it too.
  link.media = NO_MEDIA;
  const loaded = new Promise<void>((resolve) => {
    // A screen without its style is still better than none.
    link.onload = () => resolve();
    link.onerror = () => resolve();
  });
  styles.set(address, { link, loaded });
  document.head.append(link);
  return loaded;
}
