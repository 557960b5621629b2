import { Icon } from './icon.tsx';

const MARKS = {
  certified: { icon: 'shield-check', label: 'Certified' },
  deprecated: { icon: 'ban', label: 'Deprecated' },
  stale: { icon: 'circle-alert', label: 'Broken' },
} as const;

/** What the catalog says about an object, or that it no longer works. */
export const Mark = ({ kind }: { kind: keyof typeof MARKS }) => (
  <span class={`mark ${kind}`}>
    <Icon name={MARKS[kind].icon} size={14} />
    <span>{MARKS[kind].label}</span>
  </span>
);
