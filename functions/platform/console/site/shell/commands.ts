import { queries } from '../data/query.ts';
import { endSession } from '../data/session.ts';
import { to } from '../ui/address.ts';
import { copy } from '../ui/copy-button.tsx';
import type { IconName } from '../ui/icon-names.ts';
import { layer } from './layers.ts';
import { creations, openScreens } from './registry.ts';
import { chooseTheme } from './theme.ts';

/** Something that the palette offers by its name. */
export interface Command {
  id: string;
  label: string;
  icon: IconName;
  /** Beside the label, such as its shortcut. */
  hint?: string;
  /** The address that it opens, or what it does. */
  href?: string;
  run?: () => void;
}

export async function signOut(): Promise<void> {
  await endSession();
  queries.clear();
}

/** The screens, what can be made, and what the frame does. */
export const commands = (): Command[] => [
  ...openScreens().map(({ path, title, nav }) => ({
    id: `open ${path}`,
    label: title,
    icon: nav!.icon,
    hint: `g ${nav!.key}`,
    href: to(path),
  })),
  ...creations().map(({ path, creates }) => ({
    id: `new ${path}`,
    label: `New ${creates!.label.toLowerCase()}`,
    icon: 'plus' as const,
    href: to(path),
  })),
  {
    id: 'link',
    label: 'Copy the link to this page',
    icon: 'link',
    run: () => void copy(location.href, 'The link is copied.'),
  },
  { id: 'light', label: 'Light theme', icon: 'sun', run: () => chooseTheme('light') },
  { id: 'dark', label: 'Dark theme', icon: 'moon', run: () => chooseTheme('dark') },
  { id: 'system', label: 'System theme', icon: 'monitor', run: () => chooseTheme('system') },
  { id: 'shortcuts', label: 'Shortcuts', icon: 'circle-help', hint: '?', run: () => layer('shortcuts') },
  { id: 'docs', label: 'Documentation', icon: 'book-open', href: '/api/docs/guides' },
  { id: 'out', label: 'Sign out', icon: 'log-out', run: () => void signOut() },
];
