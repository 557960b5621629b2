import { to } from '../../ui/address.ts';

const KINDS = [
  ['/dashboards', 'Dashboards'],
  ['/dashboards/reports', 'Reports'],
] as const;

/** Dashboards and reports are two lists of the same screen. */
export const ListTabs = ({ current }: { current: (typeof KINDS)[number][0] }) => (
  <nav class="tabs pages" aria-label="Kinds">
    {KINDS.map(([path, label]) => (
      <a key={path} href={to(path)} aria-current={path === current ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
);
