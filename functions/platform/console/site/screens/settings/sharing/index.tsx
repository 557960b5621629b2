import type { PartProps } from '../part-props.ts';
import { EmbedDomains } from './embed-domains.tsx';
import { ShareLinks } from './share-links.tsx';

/** What of the workspace can be seen outside it. */
export default function Sharing({ query: { status = '' } }: PartProps) {
  return (
    <>
      <ShareLinks status={status} />
      <EmbedDomains />
    </>
  );
}
