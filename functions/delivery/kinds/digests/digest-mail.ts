import type { DigestContent, StoredDigestMail } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import type { Mail } from '../../../../shared/platform/mail/compose.ts';
import type { Composer } from '../stages.ts';

export const composeDigest: Composer<StoredDigestMail> = () => ({
  compose: ({ content, leftOutCount }, { unsubscribe }) => digestMail(content, leftOutCount, unsubscribe),
});

export function digestMail(
  { digestName, workspaceName, ownerName, figures }: DigestContent,
  leftOutCount: number,
  unsubscribeUrl: string,
): Mail {
  const hidden = leftOutCount === 1 ? '1 metric is' : `${leftOutCount} metrics are`;
  return {
    subject: digestName,
    heading: digestName,
    paragraphs: [],
    blocks: figures,
    notes: [
      ...(leftOutCount > 0 ? [`${hidden} left out, because you may not see the data.`] : []),
      `${ownerName} sends you this digest from the workspace “${workspaceName}”. The numbers come from the rows that you may see.`,
    ],
    unsubscribe: { label: 'Unsubscribe from this digest', url: unsubscribeUrl },
  };
}
