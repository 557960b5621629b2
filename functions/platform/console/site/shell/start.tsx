import { render } from 'preact';
import { LocationProvider } from 'preact-iso/router';
import { openSession } from '../data/session.ts';
import { BASE } from '../ui/address.ts';
import { tipCutTexts } from '../ui/cut-text.ts';
import { App } from './app.tsx';
import { guardHistory } from './history-guard.ts';
import { lazyScreen } from './lazy-screen.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { register, screenAt } from './registry.ts';
import type { Registered } from './screen.ts';

/** Signs in with the cookie of the browser, and shows the screen of the address. */
export function start(screens: Registered): void {
  register(screens);
  tipCutTexts();
  guardHistory();
  // Whether there is a sign-in is known by the session.
  void openSession().catch(() => {});
  const found = screenAt(location.pathname.slice(BASE.length));
  // What it fails with is shown in its place.
  if (found)
    void lazyScreen(found.screen)
      .preload()
      .catch(() => {});
  const root = document.getElementById('app')!;
  root.replaceChildren();
  render(
    <LocationProvider scope={BASE}>
      <App />
      <LeaveGuard />
    </LocationProvider>,
    root,
  );
}
