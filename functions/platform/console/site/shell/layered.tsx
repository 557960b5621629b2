import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { to } from '../ui/address.ts';
import { Dialog } from '../ui/dialog.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useShortcut, useShortcuts } from '../ui/shortcuts.ts';
import { Toasts } from '../ui/toast.tsx';
import { leave } from '../ui/unsaved.ts';
import { layer, openLayer } from './layers.ts';
import { openScreens } from './registry.ts';

const inDialog = (title: string) => (failure: ComponentChildren) => (
  <Dialog title={title} close={() => layer(null)}>
    {failure}
  </Dialog>
);
const Palette = lazyPart(() => import('./palette.tsx'), inDialog('Search'));
const ShortcutList = lazyPart(() => import('./shortcut-list.tsx'), inDialog('Shortcuts'));

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
  useShortcut(`g ${letter}`, `Open ${title}`, () => leave(() => route(to(path))));
  return null;
}
