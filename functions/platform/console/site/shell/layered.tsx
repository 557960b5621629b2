import { useLocation } from 'preact-iso/router';
import { to } from '../ui/address.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useShortcut, useShortcuts } from '../ui/shortcuts.ts';
import { Toasts } from '../ui/toast.tsx';
import { layer, openLayer } from './layers.ts';
import { openScreens } from './registry.ts';

const Palette = lazyPart(() => import('./palette.tsx'));
const ShortcutList = lazyPart(() => import('./shortcut-list.tsx'));

/** What lies over the page, and the shortcuts that work everywhere. */
export function Layered() {
  useShortcuts();
  useShortcut('Ctrl K', 'Search', () => layer('palette'));
  useShortcut('/', 'Search', () => layer('palette'));
  useShortcut('?', 'Show the shortcuts', () => layer('shortcuts'));
  return (
    <>
      {openScreens().map(({ path, title, nav }) => (
        <OpenKey key={path} path={path} title={title} letter={nav!.key} />
      ))}
      {openLayer.value === 'palette' && <Palette />}
      {openLayer.value === 'shortcuts' && <ShortcutList />}
      <Toasts />
    </>
  );
}

function OpenKey({ path, title, letter }: { path: string; title: string; letter: string }) {
  const { route } = useLocation();
  useShortcut(`g ${letter}`, `Open ${title}`, () => route(to(path)));
  return null;
}
