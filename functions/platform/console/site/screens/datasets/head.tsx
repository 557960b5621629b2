import type { ComponentChildren } from 'preact';
import { api } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { useQuery } from '../../data/query.ts';
import { bytesOf, counted, scoreOf } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { Ago } from '../../ui/time.tsx';

interface HeadProps {
  dataset: Dataset;
  actions: ComponentChildren;
  children: ComponentChildren;
}

export const assetKey = (id: string) => ['datasets', id, 'asset'];

/** What the catalog says about the dataset. */
export const useAsset = (id: string) => useQuery(assetKey(id), () => api.catalog.getAsset('dataset', id));

/** The name of the dataset, what others say about it, and its numbers. */
export function Head({ dataset, actions, children }: HeadProps) {
  const { id, name, rowCount, sizeBytes, columns, loadedAt, schedule, source, lastRefresh } = dataset;
  const asset = useAsset(id).data;
  const numbers = [counted(rowCount, 'row'), counted(columns.length, 'column'), bytesOf(sizeBytes)];
  return (
    <Page
      title={name}
      mark={
        <>
          {asset?.isCertified && <Mark kind="certified" />}
          {asset?.deprecation && <Mark kind="deprecated" />}
          {asset?.tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </>
      }
      actions={actions}
      lead={
        <>
          {numbers.join(' · ')}
          {' · '}
          {loadedAt === null ? (
            'not loaded yet'
          ) : (
            <>
              loaded <Ago at={loadedAt} />
            </>
          )}
          {source && ` · ${scheduleInWords(schedule)}`}
          {asset?.qualityScore != null && ` · quality ${scoreOf(asset.qualityScore)} of 100`}
        </>
      }
    >
      {lastRefresh?.status === 'failed' && (
        <div class="issue-box" role="status">
          <p>
            The last refresh failed <Ago at={lastRefresh.at} />: {lastRefresh.error?.message}
          </p>
          <p class="hint">The dataset still has its previous rows. {lastRefresh.error?.code}</p>
        </div>
      )}
      {asset?.deprecation?.reason && <p class="issue-box">Deprecated: {asset.deprecation.reason}</p>}
      {children}
    </Page>
  );
}
