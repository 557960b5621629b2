import { el } from '../../browser/dom.ts';
import { call } from './api.ts';

interface Certification {
  status: 'certified' | 'deprecated' | 'none';
  isCertified: boolean;
  certifiedBy: string | null;
  note: string | null;
}

/** Says beside the title whether to trust the object. The page is complete without it, so an error is not shown. */
export async function showMark(type: 'dashboard' | 'story', id: string): Promise<void> {
  const reply = await call('GET', `/api/catalog/certifications/${type}/${id}`).catch(() => undefined);
  if (!reply) return;
  const { status, isCertified, certifiedBy, note } = (await reply.json()) as Certification;
  if (!isCertified && status !== 'deprecated') return;
  const text = isCertified ? `Certified by ${certifiedBy}` : 'Deprecated';
  document.querySelector('h1')?.after(el('span', { class: `mark ${status}`, title: note ?? undefined }, text));
}
