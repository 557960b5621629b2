import type { ShareRecord } from './records.ts';
import { LINK_PREVIEWS, type LinkPreview } from './schemas.ts';

type ShareType = ShareRecord['shareType'];

/** A preview is shown to people who have not opened the link, and stored by others. */
const MAX_PREVIEW: Readonly<Record<ShareType, LinkPreview>> = { public: 'picture', rls: 'title', password: 'none' };
const DEFAULT_PREVIEW = 'title';

/** What the link shows of itself before it is opened. */
export function previewOf({
  shareType,
  preview = DEFAULT_PREVIEW,
}: {
  shareType: ShareType;
  preview?: LinkPreview | undefined;
}): LinkPreview {
  const max = MAX_PREVIEW[shareType];
  return isMore(preview, max) ? max : preview;
}

/** Why links of the type cannot have the preview. */
export function previewIssue(shareType: ShareType, preview: LinkPreview): string | undefined {
  const max = MAX_PREVIEW[shareType];
  const allowed = LINK_PREVIEWS.filter((one) => !isMore(one, max));
  return isMore(preview, max)
    ? `must be ${allowed.join(' or ')} for links of the type ${shareType}, because anyone may see a preview`
    : undefined;
}

const isMore = (one: LinkPreview, other: LinkPreview): boolean =>
  LINK_PREVIEWS.indexOf(one) > LINK_PREVIEWS.indexOf(other);
