import { type Alert, conditionInWords, KIND_WORDS, stateOf, useAlert, useSubject } from '../../data/alerts.ts';
import { useNames } from '../../data/members.ts';
import { problemOf } from '../../data/problem.ts';
import { useRecent } from '../../data/recent.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { amountText } from '../../ui/amount.ts';
import { momentText } from '../../ui/moment.ts';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Ago } from '../../ui/time.tsx';
import { Actions } from './actions.tsx';
import { Groups } from './groups.tsx';
import { History } from './history.tsx';
import { Settings } from './settings.tsx';

/** One alert, for the rows that the person may see. */
export default function AlertScreen({ params: { id = '' } }: ScreenProps) {
  const { data: alert, error, refresh } = useAlert(id);
  const name = alert?.name;
  useRecent('alert', id, name, error);
  if (!alert) {
    return (
      <Page title="Alert">{error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}</Page>
    );
  }
  return <Shown key={id} alert={alert} />;
}

function Shown({ alert }: { alert: Alert }) {
  const { condition, groups, mayEdit, error, snoozedUntil, ownerId, runAs } = alert;
  const names = useNames();
  const owner = names && (names.get(ownerId) ?? 'a former member');
  const subject = useSubject(condition);
  const tabs = [
    { id: 'history', label: 'History' },
    ...(groups ? [{ id: 'groups', label: 'Groups', count: groups.length }] : []),
    ...(mayEdit ? [{ id: 'settings', label: 'Settings' }] : []),
  ];
  return (
    <Page
      title={alert.name}
      mark={<Status {...stateOf(alert)} />}
      lead={
        <>
          {conditionInWords(condition, (kind) => subject ?? KIND_WORDS[kind] ?? kind)}
          <LastValue alert={alert} />
          {owner && ` · owned by ${owner}`}
        </>
      }
      actions={<Actions alert={alert} />}
    >
      {runAs === 'owner' && <p class="notice">Everyone is notified of the rows that {owner ?? 'its owner'} may see.</p>}
      {error && (
        <p class="issue-box">
          {error.message} <span class="hint">{error.code}</span>
        </p>
      )}
      {snoozedUntil !== null && (
        <p class="notice" role="status">
          Snoozed for everyone until {momentText(snoozedUntil)}: it is evaluated, but notifies no one.
        </p>
      )}
      <Tabs label="Parts of the alert" tabs={tabs}>
        {(tab) => {
          if (tab === 'settings') return <Settings alert={alert} />;
          return tab === 'groups' ? <Groups alert={alert} /> : <History alert={alert} />;
        }}
      </Tabs>
    </Page>
  );
}

function LastValue({ alert: { lastValue, evaluatedAt, firedAt, isHidden } }: { alert: Alert }) {
  if (evaluatedAt === null) return null;
  return (
    <>
      {isHidden
        ? ' · its value is hidden until the next evaluation'
        : lastValue != null && ` · now ${amountText(lastValue, null)}`}
      {' · evaluated '}
      <Ago at={evaluatedAt} />
      {firedAt && (
        <>
          {' · fired '}
          <Ago at={firedAt} />
        </>
      )}
    </>
  );
}
