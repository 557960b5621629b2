import { useEffect } from 'preact/hooks';
import { BASE } from '../ui/address.ts';
import { Confirm } from '../ui/dialog.tsx';
import { askedToLeave, hasUnsaved, leave, watchForms } from '../ui/unsaved.ts';

/** Asks before a link or the history of the browser leaves a screen on which something was entered and not saved. */
export function LeaveGuard() {
  useEffect(guarded, []);
  const go = askedToLeave.value;
  if (!go) return null;
  return (
    <Confirm
      title="Leave without saving?"
      action="Leave"
      submit={async () => {
        go();
        return true;
      }}
      close={() => {
        askedToLeave.value = undefined;
      }}
    >
      <p>Your unsaved changes will be lost.</p>
    </Confirm>
  );
}

/** Listens before the router does. */
function guarded(): () => void {
  const stop = [watchForms(), guardLinks(), guardHistory()];
  return () => {
    for (const each of stop) each();
  };
}

function guardLinks(): () => void {
  let isAgreed = false;
  const onClick = (event: MouseEvent) => {
    const link = isAgreed ? undefined : leavingLink(event);
    if (!link || !hasUnsaved()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    leave(() => {
      isAgreed = true;
      link.click();
      isAgreed = false;
    });
  };
  addEventListener('click', onClick, true);
  return () => removeEventListener('click', onClick, true);
}

/** The link of a click that opens another screen in this window. The browser itself asks before another page. */
function leavingLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
    return undefined;
  return link.pathname.startsWith(BASE) && link.pathname !== location.pathname ? link : undefined;
}

interface Place {
  key: string;
  address: string;
}

/**
 * The browser has changed the address when it reports a step back or forward. While the person is asked, the router
 * does not hear of the step, and the browser returns to the place of what is shown. Places have keys, so this holds for
 * steps over several places and for several steps. Browsers without the Navigation API do not ask.
 */
function guardHistory(): () => void {
  const { navigation } = globalThis as { navigation?: Navigation };
  if (!navigation) return () => {};
  // A fragment is a place on the same screen. Entries themselves keep their address back under a strict referrer policy.
  const here = (): Place => ({ key: navigation.currentEntry!.key, address: location.pathname + location.search });
  let shown = here();
  let agreed: string | undefined;
  const goTo = ({ key }: Place) => {
    // It fails if another step comes first, which is then asked about.
    void navigation.traverseTo(key).committed?.catch(() => {});
  };
  const onChange = ({ navigationType }: NavigationCurrentEntryChangeEvent) => {
    if (navigationType !== 'traverse') shown = here();
  };
  const onStep = (event: PopStateEvent) => {
    const place = here();
    if (place.key === shown.key) return event.stopImmediatePropagation();
    if (place.key === agreed || place.address === shown.address || !hasUnsaved()) {
      agreed = undefined;
      shown = place;
      return;
    }
    event.stopImmediatePropagation();
    goTo(shown);
    leave(() => {
      agreed = place.key;
      goTo(place);
    });
  };
  navigation.addEventListener('currententrychange', onChange);
  addEventListener('popstate', onStep, true);
  return () => {
    navigation.removeEventListener('currententrychange', onChange);
    removeEventListener('popstate', onStep, true);
  };
}
