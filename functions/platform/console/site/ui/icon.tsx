import { config } from './config.ts';
import type { IconName } from './icon-names.ts';

export type { IconName } from './icon-names.ts';

interface IconProps {
  name: IconName;
  /** In pixels; 18 by default. */
  size?: number;
  /** What it says by itself; without it, the icon stands beside words that do. */
  label?: string;
}

export const Icon = ({ name, size = 18, label }: IconProps) =>
  label === undefined ? (
    <svg class="icon" width={size} height={size} aria-hidden="true">
      <use href={`${config.icons}#${name}`} />
    </svg>
  ) : (
    <svg class="icon" width={size} height={size} role="img" aria-label={label}>
      <use href={`${config.icons}#${name}`} />
    </svg>
  );
