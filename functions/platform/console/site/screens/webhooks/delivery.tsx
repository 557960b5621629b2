import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { started } from '../../data/started.ts';
import { CAUSES, isUnderWay, kindOfDelivery, useWebhook } from '../../data/webhooks.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { durationOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { timeText } from '../../ui/moment.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';

type Detail = Types.WebhookDeliveryDetail;

const SOON_MS = 1_500;

/** One delivery: what was sent, and what came back on each attempt. */
export default function DeliveryScreen({ params: { webhook: id = '', delivery: deliveryId = '' } }: ScreenProps) {
  const [everyMs, setEvery] = useState<number | false>(false);
  const { data, error, refresh } = useQuery(
    ['webhooks', id, 'delivery', deliveryId],
    () => api.webhooks.getDelivery(id, deliveryId),
    { everyMs },
  );
  const webhook = useWebhook(id).data;
  const isOpen = data !== undefined && (isUnderWay(data.status) || data.attemptDetails.some(({ at }) => at === null));
  useEffect(() => setEvery(isOpen ? SOON_MS : false), [isOpen]);
  if (!data) {
    return (
      <Page title="Delivery">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}
      </Page>
    );
  }
  const { event, status, attempts, maxAttempts, createdAt, nextRetryAt, errorCode } = data;
  return (
    <Page
      title={event}
      mark={<Status kind={kindOfDelivery(data)} label={status} />}
      lead={
        <>
          To <Link to={`/webhooks/${id}`}>{webhook?.name ?? 'the webhook'}</Link> · created <Ago at={createdAt} /> ·{' '}
          {attempts} of {maxAttempts} attempts
          {nextRetryAt !== null && ` · next attempt ${timeText(nextRetryAt)}`}
        </>
      }
      actions={<Redeliver webhookId={id} delivery={data} />}
    >
      {errorCode !== null && (
        <p class="issue-box">
          {CAUSES[errorCode] ?? 'The delivery failed.'} <span class="hint">{errorCode}</span>
        </p>
      )}
      <Section title="Attempts">
        <Attempts delivery={data} />
      </Section>
      <Section title="Body" actions={<CopyButton text={data.body}>Copy as sent</CopyButton>}>
        <Text label="Body of the request">{readable(data.body)}</Text>
      </Section>
      <p class="hint">
        Delivery <code>{data.id}</code>
      </p>
    </Page>
  );
}

function Redeliver({ webhookId, delivery: { id, status } }: { webhookId: string; delivery: Detail }) {
  const redeliver = useAction(async () => {
    await started(api.webhooks.redeliverDelivery(webhookId, id));
    await refreshQueries(['webhooks', webhookId]);
  });
  return (
    <>
      {!isUnderWay(status) && (
        <Button
          icon="rotate-ccw"
          look={status === 'failed' ? 'main' : undefined}
          isBusy={redeliver.isRunning}
          onClick={() => void redeliver.run()}
        >
          Redeliver
        </Button>
      )}
      <Issue problem={redeliver.problem} />
    </>
  );
}

/** The newest first. */
function Attempts({ delivery: { attemptDetails } }: { delivery: Detail }) {
  if (attemptDetails.length === 0) return <p class="hint">There was no attempt yet.</p>;
  return (
    <ol class="attempts" reversed>
      {attemptDetails.toReversed().map(({ number, at, durationMs, responseStatus, error, reply }) => (
        <li key={number} value={number}>
          {at === null ? (
            <Status kind="running" label="under way" />
          ) : (
            <>
              <Status
                kind={error === null ? 'succeeded' : 'failed'}
                label={error ?? `the receiver answered ${responseStatus}`}
              />
              <span class="hint">
                {' '}
                <Ago at={at} />
                {durationMs !== null && `, took ${durationOf(durationMs)}`}
              </span>
              {reply !== null && reply !== '' && <Text label={`Reply to attempt ${number}`}>{reply}</Text>}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

const Text = ({ label, children }: { label: string; children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too.
  <section class="text" tabIndex={0} aria-label={label}>
    <pre>{children}</pre>
  </section>
);

/** JSON on several lines; other texts as they are. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
