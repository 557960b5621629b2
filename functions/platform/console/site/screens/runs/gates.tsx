import type { Types } from '../../data/client.ts';
import { counted, countOf } from '../../ui/format.ts';
import { Status, type StatusKind } from '../../ui/status.tsx';

const KINDS: Readonly<Record<string, StatusKind>> = {
  passed: 'succeeded',
  failed: 'failed',
  warned: 'waiting',
  error: 'failed',
  skipped: 'skipped',
};

/** What the quality gates of a step have found. */
export function Gates({ gates }: { gates: readonly Types.GateResult[] }) {
  if (gates.length === 0) return null;
  return (
    <div>
      <h3>Quality gates</h3>
      <ul class="gates">
        {gates.map((gate) => (
          <li key={gate.gateId}>
            <Status kind={KINDS[gate.status] ?? 'waiting'} label={gate.status} /> {gate.type.replaceAll('_', ' ')}
            {gate.column && (
              <>
                {' '}
                of <code>{gate.column}</code>
              </>
            )}
            {gate.failedRows !== null && gate.failedRows > 0 && (
              <span class="hint">
                {' '}
                {countOf(gate.failedRows)} of {counted(gate.evaluatedRows ?? 0, 'row')}
                {gate.removedRows > 0 && `, ${countOf(gate.removedRows)} removed`}
              </span>
            )}
            {gate.message && <p class="hint">{gate.message}</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}
