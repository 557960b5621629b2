import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

type Native = Omit<JSX.IntrinsicElements['button'], 'class' | 'icon' | 'loading'>;

export interface ButtonProps extends Native {
  /** `main` for the one action of a place, `danger` for one that destroys, `plain` beside others. */
  look?: 'main' | 'danger' | 'plain';
  icon?: IconName;
  /** Its action is running: it cannot be pressed again. */
  isBusy?: boolean;
  /** For toolbars and rows. */
  isSmall?: boolean;
  children: ComponentChildren;
}

export const Button = ({ look, icon, isBusy = false, isSmall, disabled, children, ...native }: ButtonProps) => (
  <button
    type="button"
    {...native}
    class={['button', look, isSmall && 'small'].filter(Boolean).join(' ')}
    disabled={disabled || isBusy}
    aria-busy={isBusy || undefined}
  >
    {icon && <Icon name={icon} size={16} />}
    {children}
  </button>
);

interface IconButtonProps extends Native {
  icon: IconName;
  /** What it does; also shown as its tip. */
  label: string;
}

export const IconButton = ({ icon, label, ...native }: IconButtonProps) => (
  <button type="button" title={label} aria-label={label} {...native} class="button plain icon-only">
    <Icon name={icon} />
  </button>
);
