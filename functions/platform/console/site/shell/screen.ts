import type { ComponentType } from 'preact';
import type { Product } from '../data/entitlements.ts';
import type { Role } from '../data/me.ts';
import type { IconName } from '../ui/icon-names.ts';

/** The headings of the navigation, in their order; `home` and `settings` have none. */
export const GROUPS = ['home', 'read', 'data', 'run', 'watch', 'settings'] as const;

/** What a screen gets of its address. */
export interface ScreenProps {
  /** The values of the parameters of the path, such as `id`. */
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

/** A screen as its folder registers it in `screens/<name>/screen.ts`. */
export interface Screen {
  /**
   * Below the console, such as `/runs/:id`. It begins with the name of the folder and has at most three segments; only
   * the home screen is `/`.
   */
  path: string;
  title: string;
  load(): Promise<{ default: ComponentType<ScreenProps> }>;
  /** Larger parts that it loads by `import()` and always shows: they are loaded beside it. */
  parts?(): Promise<unknown>;
  /** Its link in the navigation. Screens without one are reached from others. */
  nav?: {
    group: (typeof GROUPS)[number];
    icon: IconName;
    /** After `g`. */
    key: string;
    /** The place within the group: smaller is higher. */
    order: number;
    /** The lowest role that sees the link; the palette offers the screen to all who may see it. */
    role?: Role;
  };
  /** The lowest role that sees the screen and links to it; by default every role. */
  role?: Role;
  /** The product that it belongs to, unless that is in every plan. Without it, the navigation says so. */
  product?: Product;
  /** The type of objects in search results and notifications that it shows, by the parameter `id`. */
  shows?: string | readonly string[];
  /** A choice of the menu “New” that opens the screen. */
  creates?: { label: string; order: number };
  /** Shown without a sign-in, and without the frame of the console. */
  isPublic?: true;
}

/** The screens of each folder. */
export type Registered = Readonly<Record<string, readonly Screen[]>>;
