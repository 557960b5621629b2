import { signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The pages of dashboards and the documentation store the choice under this name, too. */
const STORAGE_KEY = 'colorMode';
const system = matchMedia('(prefers-color-scheme: dark)');

export const theme = signal<Theme>(stored());
const isSystemDark = signal(system.matches);

/** Whether the page is dark: by the choice of the person, or by their system. */
export const useIsDark = (): boolean => theme.value === 'dark' || (theme.value === 'system' && isSystemDark.value);

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  if (chosen === 'system') localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, chosen);
  show();
}

function stored(): Theme {
  const chosen = localStorage.getItem(STORAGE_KEY);
  return THEMES.find((each) => each === chosen) ?? 'system';
}

function show(): void {
  const isDark = theme.value === 'dark' || (theme.value === 'system' && system.matches);
  document.body.classList.toggle('dark-mode', isDark);
  document.body.classList.toggle('light-mode', !isDark);
}

system.addEventListener('change', () => {
  isSystemDark.value = system.matches;
  show();
});
