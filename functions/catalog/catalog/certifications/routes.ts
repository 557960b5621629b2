import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  CertificationHistory,
  CertificationHistoryQuery,
  CertificationParams,
  CertificationQuery,
  CertificationState,
  SetCertification,
} from './schemas.ts';

export const getCertification = defineRoute({
  operationId: 'getCertification',
  method: 'GET',
  path: '/api/catalog/certifications/{type}/{id}',
  summary: 'Get the certification of an object',
  permission: 'catalog:read',
  params: CertificationParams,
  query: CertificationQuery,
  success: { status: 200, body: CertificationState },
  errors: ['CERTIFIED_OBJECT_NOT_FOUND'],
});

export const setCertification = defineRoute({
  operationId: 'setCertification',
  method: 'PUT',
  path: '/api/catalog/certifications/{type}/{id}',
  summary: 'Set the certification of an object',
  description:
    'Certifies or deprecates an object, or withdraws either. A certification ends by itself when it expires, and when someone who may not certify changes what the object means.',
  permission: 'catalog:certify',
  params: CertificationParams,
  query: CertificationQuery,
  body: SetCertification,
  success: { status: 200, body: CertificationState },
  errors: ['CERTIFIED_OBJECT_NOT_FOUND', 'CERTIFICATION_STALE', 'CERTIFICATION_FULL'],
  audit: 'certification.updated',
});

export const listCertificationEvents = defineRoute({
  operationId: 'listCertificationEvents',
  method: 'GET',
  path: '/api/catalog/certifications/{type}/{id}/history',
  summary: 'List changes of a certification',
  description: 'Newest first; kept for three years.',
  permission: 'catalog:read',
  params: CertificationParams,
  query: CertificationHistoryQuery,
  success: { status: 200, body: CertificationHistory },
  errors: ['CERTIFIED_OBJECT_NOT_FOUND'],
});
