/** Runs before the first paint, so that a page in dark mode does not flash white. */

/** The reference viewer stores the reader's choice under this name, too. */
const KEPT = 'colorMode';

const chosen = localStorage.getItem(KEPT);
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
show(dark);

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('.theme-toggle')) return;
  const next = !document.body.classList.contains('dark-mode');
  localStorage.setItem(KEPT, next ? 'dark' : 'light');
  show(next);
});

function show(darkMode: boolean): void {
  document.body.classList.toggle('dark-mode', darkMode);
  document.body.classList.toggle('light-mode', !darkMode);
}
