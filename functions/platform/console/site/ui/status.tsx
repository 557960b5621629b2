/** How something stands. Each has a shape of its own, so that color is never all that tells them apart. */
export type StatusKind = 'running' | 'succeeded' | 'failed' | 'waiting' | 'cancelled' | 'skipped';

const SHAPES: Readonly<Record<StatusKind, string>> = {
  running: '●',
  succeeded: '✓',
  failed: '✕',
  waiting: '‖',
  cancelled: '⊘',
  skipped: '–',
};

export const Status = ({ kind, label }: { kind: StatusKind; label: string }) => (
  <span class={`status ${kind}`}>
    <span aria-hidden="true">{SHAPES[kind]}</span> {label}
  </span>
);

/** A status without words beside it, as in a row of several. */
export const StatusMark = ({ kind, label }: { kind: StatusKind; label: string }) => (
  <span class={`status ${kind}`} title={label}>
    <span aria-hidden="true">{SHAPES[kind]}</span>
    <span class="sr">{label}</span>
  </span>
);
