import { Icon } from '../../ui/icon.tsx';

const MARKS = {
  certified: { icon: 'shield-check', label: 'Certified' },
  deprecated: { icon: 'ban', label: 'Deprecated' },
} as const;

/** What the catalog says about a dataset. */
export const Mark = ({ kind }: { kind: keyof typeof MARKS }) => (
  <span class={`mark ${kind}`}>
    <Icon name={MARKS[kind].icon} size={14} />
    <span>{MARKS[kind].label}</span>
  </span>
);
