import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Me } from '../data/me.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Feed } from './feed.tsx';
import { Layered } from './layered.tsx';
import { layer } from './layers.ts';
import { Navigation } from './navigation.tsx';
import { NewMenu } from './new-menu.tsx';
import type { Found } from './registry.ts';
import { WorkspaceMenu } from './workspace-menu.tsx';

interface FrameProps {
  me: Me;
  found: Found | undefined;
  children: ComponentChildren;
}

/** The bar at the top, the navigation, and the screen. */
export function Frame({ me, found, children }: FrameProps) {
  const { path } = useLocation();
  const sheet = useRef<HTMLDialogElement>(null);
  // Few open it: it is drawn only then.
  const [isSheetShown, setSheetShown] = useState(false);
  const content = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    sheet.current?.close();
    // Screen readers continue at the new screen; the first one was opened by the browser.
    if (!isFirst.current) content.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <span class="phone-only">
          <IconButton
            icon="menu"
            label="Navigation"
            onClick={() => {
              setSheetShown(true);
              sheet.current?.showModal();
            }}
          />
        </span>
        <WorkspaceMenu me={me} />
        <NewMenu />
        <button type="button" class="button search-button" onClick={() => layer('palette')}>
          <Icon name="search" size={16} />
          <span class="search-text">Search</span>
          <span class="search-keys" aria-hidden="true">
            Ctrl K
          </span>
        </button>
        <span class="space" />
        <Feed />
        <span class="desk-only">
          <IconButton icon="circle-help" label="Shortcuts" onClick={() => layer('shortcuts')} />
        </span>
        <AccountMenu me={me} />
      </header>
      <Navigation path={path} current={found?.screen} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; a click beside it does too. */}
      <dialog
        class="sheet"
        ref={sheet}
        aria-label="Navigation"
        onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
      >
        {isSheetShown && <Navigation path={path} current={found?.screen} />}
      </dialog>
      <main id="content" ref={content} tabIndex={-1}>
        {children}
      </main>
      <Layered />
    </div>
  );
}
