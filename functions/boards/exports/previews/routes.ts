import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { PreviewParams } from './schemas.ts';

export const getSharePreviewImage = defineRoute({
  operationId: 'getSharePreviewImage',
  method: 'GET',
  path: '/api/shares/{token}/preview-image',
  summary: 'Get the picture of a link preview',
  description:
    'For applications that preview links; the page of the link names this address. Redirects to a PNG of 1200 × 630 pixels with the beginning of the first page of the dashboard, or of the report, as the readers of the link see it. The address that it redirects to expires after 30 seconds. Only links with the preview `picture` have a picture. Once row-level security or a sensitivity label protects what a card reads, the link no longer has a picture.',
  permission: 'public',
  params: PreviewParams,
  success: { status: 303, redirect: true, description: 'To the picture.' },
  errors: ['SHARE_NOT_FOUND', 'SHARE_PICTURE_OFF', 'RLS_SHARE_REQUIRED', 'SHARE_QUERIES_SPENT', 'SHARE_DRAWINGS_SPENT'],
});
