import { hasUnsaved, leave } from '../ui/unsaved.ts';

interface Place {
  key: string;
  address: string;
}

/**
 * Asks before a step back or forward in the browser leaves a screen on which something was entered and not saved. Has
 * to listen before the router does.
 *
 * The browser has changed the address when it reports the step. While the person is asked, the router does not hear of
 * it, and the browser returns to the place of what is shown. Places have keys, so this holds for steps over several
 * places and for several steps. Browsers without the Navigation API do not ask.
 */
export function guardHistory(): void {
  const { navigation } = globalThis as { navigation?: Navigation };
  if (!navigation) return;
  // Another fragment is a place on the same screen.
  const here = (): Place => ({ key: navigation.currentEntry!.key, address: location.pathname + location.search });
  let shown = here();
  let agreed: string | undefined;
  const goTo = ({ key }: Place) => {
    // It fails if another step comes first, which is then asked about.
    void navigation.traverseTo(key).committed?.catch(() => {});
  };
  navigation.addEventListener('currententrychange', ({ navigationType }) => {
    if (navigationType !== 'traverse') shown = here();
  });
  addEventListener('popstate', (event) => {
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
  });
}
