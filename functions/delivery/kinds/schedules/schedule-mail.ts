import {
  DASHBOARDS,
  REPORTS,
  type ScheduleKind,
  type ScheduleRecord,
  STORIES,
  type StoredScheduleMail,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { Attachment, Mail } from '../../../../shared/platform/mail/compose.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import type { Composer } from '../stages.ts';

type Written = StoredScheduleMail & { content: NonNullable<StoredScheduleMail['content']> };

interface Parts {
  attachment: Attachment | undefined;
  pictures: readonly Attachment[];
  /** The page of the dashboard, for readers who are signed in. */
  page: string | null;
  /** The address that ends such mails. */
  unsubscribe: string;
}

const compose =
  <S extends ScheduleRecord>(kind: ScheduleKind<S>): Composer<StoredScheduleMail> =>
  ({ objects }) => ({
    compose: async (mail, { apiUrl, unsubscribe }) =>
      scheduleMail(kind, mail, {
        attachment: await fileOf(objects, mail),
        pictures: await picturesOf(objects, mail.content),
        page: kind.pageOf(apiUrl, mail.content.objectId),
        unsubscribe,
      }),
  });

export const composeDashboard = compose(DASHBOARDS);
export const composeReport = compose(REPORTS);
export const composeStory = compose(STORIES);

/** The attachment of the mail, if it has one. */
async function fileOf(
  objects: Pick<ObjectStore, 'read'>,
  { file }: StoredScheduleMail,
): Promise<Attachment | undefined> {
  if (!file) return undefined;
  const { key, fileName, contentType } = file;
  return { fileName, contentType, content: await objects.read(key) };
}

/** The pictures that the mail shows. */
const picturesOf = (
  objects: Pick<ObjectStore, 'read'>,
  { pictures = [] }: Pick<Written['content'], 'pictures'>,
): Promise<Attachment[]> =>
  Promise.all(pictures.map(async ({ key, ...about }) => ({ ...about, content: await objects.read(key) })));

function scheduleMail<S extends ScheduleRecord>(
  { name: noun, part }: Pick<ScheduleKind<S>, 'name' | 'part'>,
  { content, failedCardCount, file, error, address }: Written,
  { attachment, pictures, page, unsubscribe }: Parts,
): Mail {
  const { objectName, pageName, workspaceName, ownerName, asOf, filters, blocks, leftOutCount } = content;
  const rows = address === undefined ? 'It shows the rows that you may see.' : 'It shows what every member may see.';
  const counted = (count: number): string => (count === 1 ? `1 ${part} is` : `${count} ${part}s are`);
  return {
    subject: objectName,
    heading: pageName === null ? objectName : `${objectName}: ${pageName}`,
    paragraphs: [
      ...(asOf === null ? [] : [`Data as of ${asOf}`]),
      ...(filters.length > 0 ? [`Filters: ${filters.join(' · ')}`] : []),
    ],
    blocks,
    ...(address === undefined && page !== null && { action: { label: `Open the ${noun}`, url: page } }),
    notes: [
      ...(leftOutCount > 0 ? [`${counted(leftOutCount)} left out of this email.`] : []),
      ...(failedCardCount > 0
        ? [`${counted(failedCardCount)} shown without data, because the data could not be read.`]
        : []),
      ...(attachment && file?.truncated ? ['The attached file does not contain all rows.'] : []),
      ...(error ? [`No file is attached: ${error.message}`] : []),
      `${ownerName} sends you this ${noun} from the workspace “${workspaceName}”. ${rows}`,
    ],
    attachments: [...pictures, ...(attachment ? [attachment] : [])],
    unsubscribe: { label: `Unsubscribe from this ${noun}`, url: unsubscribe },
  };
}
