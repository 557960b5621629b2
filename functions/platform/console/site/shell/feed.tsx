import { useAction } from '../data/action.ts';
import { ApiError, api, type Types } from '../data/client.ts';
import { problemOf } from '../data/problem.ts';
import { refreshQueries, useQuery } from '../data/query.ts';
import { to } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useIdle } from '../ui/idle.ts';
import { Popover } from '../ui/popover.tsx';
import { Empty, Failed, Issue } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { addressOf } from './registry.ts';
import { typeOf } from './types.ts';

const EVERY_MS = 60_000;
const MAX_ITEMS = 30;

/** The notifications of the person, behind a bell with the number of unread ones. */
export function Feed() {
  const isIdle = useIdle();
  const feed = useQuery(['feed'], () => api.alerts.readFeed({ kinds: 'all', limit: MAX_ITEMS }), {
    everyMs: EVERY_MS,
    enabled: isIdle,
  });
  // Without the product there are none.
  if (feed.error instanceof ApiError && feed.error.status === 403) return null;
  const unread = feed.data?.unread ?? 0;
  return (
    <Popover
      isRight
      label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
      button={
        <>
          <Icon name="bell" />
          {unread > 0 && (
            <span class="badge" aria-hidden="true">
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </>
      }
    >
      {(close) => (
        <div class="feed">
          <Head unread={unread} newest={feed.data?.items[0]?.id} close={close} />
          {!feed.data && feed.error && <Failed problem={problemOf(feed.error)} retry={feed.refresh} />}
          {feed.data?.items.length === 0 && (
            <Empty icon="bell" title="No notifications">
              Alerts, comments and mentions appear here.
            </Empty>
          )}
          <ul class="list">
            {feed.data?.items.map((item) => (
              <Item key={item.id} item={item} close={close} />
            ))}
          </ul>
        </div>
      )}
    </Popover>
  );
}

function Head({ unread, newest, close }: { unread: number; newest: string | undefined; close: () => void }) {
  const read = useAction(async () => {
    await api.alerts.markNotificationsRead(newest === undefined ? {} : { upTo: newest });
    await refreshQueries(['feed']);
  });
  return (
    <div class="feed-head">
      <h2>Notifications</h2>
      <a href={to('/alerts')} onClick={close}>
        Alerts
      </a>
      {unread > 0 && (
        <Button isSmall isBusy={read.isRunning} onClick={() => void read.run()}>
          Mark all as read
        </Button>
      )}
      <Issue problem={read.problem} />
    </div>
  );
}

function Item({ item, close }: { item: Types.FeedItem; close: () => void }) {
  const { subject, title, text, at, isUnread, url } = item;
  const href = addressOf(subject.type, subject.id) ?? (url === null ? undefined : `/api${url}`);
  const content = (
    <>
      <Icon name={typeOf(subject.type).icon} />
      <span class="feed-text">
        <span class="feed-title">{title}</span>
        {text && <span class="hint">{text}</span>}
        <span class="hint">
          <Ago at={at} />
        </span>
      </span>
      {isUnread && (
        <span class="dot" role="img" aria-label="Unread">
          ●
        </span>
      )}
    </>
  );
  return (
    <li class={isUnread ? 'unread' : undefined}>
      {href === undefined ? (
        <div class="feed-item">{content}</div>
      ) : (
        <a class="feed-item" href={href} onClick={close}>
          {content}
        </a>
      )}
    </li>
  );
}
