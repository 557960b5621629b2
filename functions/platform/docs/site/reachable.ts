/**
 * Mends what the viewer leaves out for readers without a mouse or a screen: code that scrolls can be reached with the
 * keyboard, and the bar of small screens is no second banner of the page.
 */
export function makeReachable(viewer: Element): void {
  let isDue = false;
  const mend = () => {
    isDue = false;
    for (const code of viewer.querySelectorAll<HTMLElement>('code.custom-scroll')) {
      const isScrolling = code.scrollWidth > code.clientWidth || code.scrollHeight > code.clientHeight;
      if (isScrolling) code.tabIndex = 0;
      else code.removeAttribute('tabindex');
    }
    for (const bar of viewer.querySelectorAll('.t-doc__header')) {
      bar.setAttribute('role', 'navigation');
      bar.setAttribute('aria-label', 'Current section');
      bar.querySelector('header')?.setAttribute('role', 'group');
    }
  };
  const soon = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(mend);
  };
  new MutationObserver(soon).observe(viewer, { childList: true, subtree: true });
  addEventListener('resize', soon);
}
