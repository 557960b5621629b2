import type { IconName } from '../../ui/icon-names.ts';

const ICONS: Readonly<Record<string, IconName>> = {
  file: 'file',
  postgres: 'database',
  mysql: 'database',
  s3: 'cylinder',
  http: 'link',
};

/** How a type of source is drawn. */
export const iconOf = (type: string): IconName => ICONS[type] ?? 'database';
