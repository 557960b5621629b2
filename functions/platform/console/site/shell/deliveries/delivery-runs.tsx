import { type Deliveries, type Delivery, reasonText } from '../../data/deliveries.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { RUN_STATES } from './run-states.ts';

interface DeliveryRunsProps {
  deliveries: Deliveries;
  delivery: Delivery;
  close: () => void;
}

const EVERY_MS = 2_000;

/** The last runs of a subscription, with what each recipient got. */
export function DeliveryRuns({ deliveries, delivery, close }: DeliveryRunsProps) {
  const { data, error, refresh } = useQuery(
    [...deliveries.key, delivery.id, 'runs'],
    () => deliveries.runs(delivery.id),
    { everyMs: EVERY_MS },
  );
  return (
    <Section
      title={`Runs of ${delivery.name}`}
      actions={
        <Button isSmall onClick={close}>
          Close
        </Button>
      }
    >
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={3} />)}
      {data?.length === 0 && <p class="hint">It was not sent yet.</p>}
      <ul class="list delivery-runs">
        {data?.map((run) => (
          <li key={run.id}>
            <p>
              <Status kind={RUN_STATES[run.status] ?? 'skipped'} label={run.status} /> <Ago at={run.startedAt} />
              {run.startedBy && <span class="hint"> started by hand</span>}
              {run.reason && <span class="hint"> {reasonText(run.reason)}</span>}
            </p>
            <ul>
              {run.perRecipient.map(({ recipient, status, reason }) => (
                <li key={recipient}>
                  {recipient}: {status} <span class="hint">{reasonText(reason)}</span>
                </li>
              ))}
              {run.perTarget.map(({ targetId, name, status, reason, lastError }) => (
                <li key={targetId}>
                  {name ?? 'a channel'}: {status} <span class="hint">{reasonText(reason) || lastError}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}
