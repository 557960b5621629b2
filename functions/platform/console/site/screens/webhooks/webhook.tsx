import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { useRecent } from '../../data/recent.ts';
import { started } from '../../data/started.ts';
import { rebaseForms } from '../../data/versioned.ts';
import { healthOf, useWebhook, type Webhook, watchDeliveries } from '../../data/webhooks.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import { Replay } from './replay.tsx';
import { Settings } from './settings.tsx';

const TABS = [
  { id: 'deliveries', label: 'Deliveries' },
  { id: 'settings', label: 'Settings' },
];

/** One webhook. */
export default function WebhookScreen({ params: { id = '' }, query }: ScreenProps) {
  const { data: webhook, error, refresh } = useWebhook(id);
  const name = webhook?.name;
  useRecent('webhook', id, name, error);
  if (!webhook) {
    return (
      <Page title="Webhook">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}
      </Page>
    );
  }
  return <Shown key={id} webhook={webhook} query={query} />;
}

function Shown({ webhook, query }: { webhook: Webhook; query: ScreenProps['query'] }) {
  const { kind, detail } = healthOf(webhook);
  return (
    <Page
      title={webhook.name}
      mark={<Status kind={kind} label={detail} />}
      lead={webhook.url}
      actions={<Actions webhook={webhook} />}
    >
      <Tabs label="Parts of the webhook" tabs={TABS}>
        {(tab) =>
          tab === 'settings' ? (
            <Settings webhook={webhook} />
          ) : (
            <Deliveries webhook={webhook} status={query.status ?? ''} event={query.event ?? ''} />
          )
        }
      </Tabs>
    </Page>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { id, enabled, revision } = webhook;
  const [isReplaying, setReplaying] = useState(false);
  const test = useAction(async () => {
    await started(api.webhooks.test(id));
    watchDeliveries();
    await refreshQueries(['webhooks', id]);
    toast('The test is on its way. See the deliveries.');
  });
  const turn = useAction(async () => {
    const saved = await api.webhooks.update(id, { enabled: !enabled }, { ifMatch: revision });
    rebaseForms(id, revision, saved.revision);
    await refreshQueries(['webhooks']);
  });
  return (
    <>
      <Button isBusy={test.isRunning} onClick={() => void test.run()}>
        Send a test
      </Button>
      <Button icon={enabled ? 'pause' : 'play'} isBusy={turn.isRunning} onClick={() => void turn.run()}>
        {enabled ? 'Turn off' : 'Turn on'}
      </Button>
      <Button icon="rotate-ccw" onClick={() => setReplaying(true)}>
        Replay failed deliveries
      </Button>
      <Issue problem={test.problem ?? turn.problem} />
      {isReplaying && <Replay webhook={webhook} close={() => setReplaying(false)} />}
    </>
  );
}
