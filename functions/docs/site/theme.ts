/** Runs before the first paint: a page that the reader wants dark must not flash white. */

/** The viewer of the reference keeps the reader's choice under this name, too. */
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
