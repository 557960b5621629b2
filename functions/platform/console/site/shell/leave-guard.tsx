import { useEffect } from 'preact/hooks';
import { BASE } from '../ui/address.ts';
import { Confirm } from '../ui/dialog.tsx';
import { askedToLeave, hasUnsaved, leave, watchForms } from '../ui/unsaved.ts';

/** Asks before a link leaves a screen on which something was entered and not saved. */
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
  const stopWatching = watchForms();
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
  return () => {
    stopWatching();
    removeEventListener('click', onClick, true);
  };
}

/** The link of a click that opens another screen in this window. The browser itself asks before another page. */
function leavingLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
    return undefined;
  return link.pathname.startsWith(BASE) && link.pathname !== location.pathname ? link : undefined;
}
