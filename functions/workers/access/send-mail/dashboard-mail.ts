import type { StoredScheduleMail } from '../../../../shared/domains/dashboard-schedules/index.ts';
import type { Attachment, Mail } from '../../../../shared/platform/mail/compose.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';

type Written = StoredScheduleMail & { content: NonNullable<StoredScheduleMail['content']> };

interface Links {
  /** The page of the dashboard, for readers who are signed in. */
  dashboard: string;
  unsubscribe: string;
}

/** The attachment of the mail, if it has one. */
export async function fileOf(
  objects: Pick<ObjectStore, 'read'>,
  { file }: StoredScheduleMail,
): Promise<Attachment | undefined> {
  if (!file) return undefined;
  const { key, fileName, contentType } = file;
  return { fileName, contentType, content: await objects.read(key) };
}

export function dashboardMail(
  { content, failedCardCount, file, error, address }: Written,
  attachment: Attachment | undefined,
  { dashboard, unsubscribe }: Links,
): Mail {
  const { dashboardName, pageName, workspaceName, ownerName, asOf, blocks, leftOutCount } = content;
  const rows = address === undefined ? 'It shows the rows that you may see.' : 'It shows what every member may see.';
  return {
    subject: dashboardName,
    heading: pageName === null ? dashboardName : `${dashboardName}: ${pageName}`,
    paragraphs: [`As of ${asOf}`],
    blocks,
    ...(address === undefined && { action: { label: 'Open the dashboard', url: dashboard } }),
    notes: [
      ...(leftOutCount > 0 ? [`${counted(leftOutCount)} left out of this email.`] : []),
      ...(failedCardCount > 0
        ? [`${counted(failedCardCount)} shown without data, because the data could not be read.`]
        : []),
      ...(attachment && file?.truncated ? ['The attached file does not contain all rows.'] : []),
      ...(error ? [`No file is attached: ${error.message}`] : []),
      `${ownerName} sends you this dashboard from the workspace “${workspaceName}”. ${rows}`,
    ],
    ...(attachment && { attachments: [attachment] }),
    unsubscribe: { label: 'Unsubscribe from this dashboard', url: unsubscribe },
  };
}

const counted = (count: number): string => (count === 1 ? '1 card is' : `${count} cards are`);
