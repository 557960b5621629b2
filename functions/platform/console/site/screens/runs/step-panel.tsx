import { useState } from 'preact/hooks';
import { CAUSES } from '../../data/run-causes.ts';
import { SelectField } from '../../ui/field.tsx';
import { bytesOf, countOf } from '../../ui/format.ts';
import { jobStatus } from '../../ui/job-status.ts';
import { timeText } from '../../ui/moment.ts';
import { Status } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { Gates } from './gates.tsx';
import type { Run, StepRun } from './live-run.ts';
import { Log } from './log.tsx';
import { skipText, timeOf } from './words.ts';

interface StepPanelProps {
  run: Run;
  step: StepRun;
}

/** Why the step stands as it does, what it has done, and its log. */
export function StepPanel({ run, step }: StepPanelProps) {
  const [chosen, choose] = useState<number>();
  const attempt = chosen ?? step.attempt;
  const { stepId, type, status, error, skipReason, nextRetryAt } = step;
  return (
    <section class="step-panel" aria-label={`Step ${stepId}`}>
      <header>
        <h2>{stepId}</h2>
        <span class="hint">
          {type.replaceAll('_', ' ')}
          {step.itemIndex !== null && <> · {String(step.item)}</>}
        </span>
        <Status kind={jobStatus(status)} label={status} />
      </header>
      {error && <Cause code={error.code} message={error.message} />}
      {!error && skipReason && <p>{skipText(skipReason)}</p>}
      {nextRetryAt && (
        <p class="hint">
          The next attempt begins at {timeText(nextRetryAt)} ({attempt} of {step.maxAttempts} are used).
        </p>
      )}
      <Numbers step={step} />
      <Gates gates={step.gates} />
      {step.schemaChanges.length > 0 && (
        <p>
          Columns have changed:{' '}
          {step.schemaChanges.map(({ column, change }) => `${column} (${change.replace('_', ' ')})`).join(', ')}.
        </p>
      )}
      {step.attempt > 1 && (
        <SelectField
          label="Attempt"
          value={String(attempt)}
          onChange={({ currentTarget: { value } }) => choose(Number(value))}
        >
          {Array.from({ length: step.attempt }, (_, index) => (
            <option key={index} value={String(index + 1)}>
              {index + 1}
              {index + 1 === step.attempt && ' (latest)'}
            </option>
          ))}
        </SelectField>
      )}
      {step.attempt > 0 && <Log key={attempt} runId={run.id} step={step} attempt={attempt} />}
    </section>
  );
}

const Cause = ({ code, message }: { code: string; message: string }) => {
  const cause = CAUSES[code];
  return (
    <div class="cause">
      <p class="cause-message">{message}</p>
      <p class="hint">
        <code>{code}</code>
        {cause && <>: {cause.happened}.</>}
      </p>
      {cause && (
        <p>
          <strong>What to do:</strong> {cause.remedy}.
        </p>
      )}
    </div>
  );
};

function Numbers({ step }: { step: StepRun }) {
  const { rowsIn, rowsOut, bytesOut, startedAt, ports, watermark, materialization, deliveryGuarantee } = step;
  const took = timeOf(step);
  const facts: [name: string, value: string | undefined | null][] = [
    ['Took', took],
    ['Rows in', rowsIn === null ? null : countOf(rowsIn)],
    ['Rows out', rowsOut === null ? null : countOf(rowsOut)],
    ['Size', bytesOut === null ? null : bytesOf(bytesOut)],
    ...Object.entries(ports ?? {}).map(([port, rows]): [string, string] => [`To ${port}`, countOf(rows)]),
    ['Read from', watermark?.from],
    ['Read to', watermark?.to],
    ['Passed on to', materialization && !materialization.written ? materialization.into : null],
    ['Delivery', deliveryGuarantee?.replaceAll('_', ' ')],
  ];
  return (
    <dl class="facts-of-step">
      {startedAt && (
        <div>
          <dt>Started</dt>
          <dd>
            <Ago at={startedAt} />
          </dd>
        </div>
      )}
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
