/** Runs before the first paint, so that a page in dark mode does not flash white. */

/** The reference viewer stores the reader's choice under this name, too. */
const STORAGE_KEY = 'colorMode';

const chosen = localStorage.getItem(STORAGE_KEY);
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
show(dark);

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('.theme-toggle')) return;
  const next = !document.body.classList.contains('dark-mode');
  localStorage.setItem(STORAGE_KEY, next ? 'dark' : 'light');
  show(next);
});

function show(darkMode: boolean): void {
  document.body.classList.toggle('dark-mode', darkMode);
  document.body.classList.toggle('light-mode', !darkMode);
}
