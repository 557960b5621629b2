/** Values shared by the examples of several groups, so that a reader meets the same records everywhere. */
export const IDS = {
  company: '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01',
  session: '019b2c4e-0a1f-7c9d-8f47-3b2a1c0d9e17',
  licence: '019b2c4f-1b20-7d5a-8c31-2e1f0a9b8c18',
  workspace: '019b2c4e-0a11-7a0f-8b21-6c5d4e3f2a02',
  user: '019b2c4e-0a12-7b1d-a7c4-0e9f8d7c6b03',
  colleague: '019b2c51-44d2-7e8a-b0c9-5a4b3c2d1e04',
  group: '019b2c55-31f4-7c6b-a2d8-4e5f6a7b8c17',
  passkey: '019b2c4f-5b11-7d2e-9a66-2b3c4d5e6f19',
  identityProvider: '019b2c57-8d21-7a4e-b6f3-1a2b3c4d5e19',
  invitation: '019b2c58-7e2d-7a49-b316-5f6a7b8c9d18',
  serviceAccount: '019b2c5e-7f20-7b19-8c46-0a9b8c7d6e19',
  apiKey: '019b2c60-12ab-7d33-8e10-9b8a7c6d5e05',
  files: '019b2c6a-77c0-7f4b-9a36-2d1c0b9a8f06',
  database: '019b2c6b-0d41-7c22-8d97-7e6f5a4b3c07',
  orders: '019b2c70-3e15-7a91-b5d2-8c7b6a5f4e08',
  customers: '019b2c70-9f02-7d64-a1e8-4b3a2c1d0f09',
  refresh: '019b2c70-3e9a-7b05-9c44-1a2b3c4d5e0a',
  sync: '019b2c6b-5b70-7e19-8f02-6d5c4b3a2f0b',
  queryJob: '019b2c8d-20fe-7c88-b7a3-0f1e2d3c4b0c',
  query: '019b2c8c-e4d1-7f50-9b6e-5c4d3e2f1a0d',
  savedQuery: '019b2c90-6a3b-7d1f-8c75-3e2d1c0b9a0e',
  pipeline: '019b2ca0-15d8-7b42-a9f0-7a6b5c4d3e0f',
  upstream: '019b2ca0-8c47-7e63-9d1b-2f3e4d5c6b10',
  run: '019b2cb1-f0a2-7a7c-8e5d-9c8b7a6f5e11',
  backfill: '019b2cc3-4b1e-7f29-b3c6-1d0e9f8a7b12',
  cdcStream: '019b2cd0-2e95-7c04-9f88-6b5a4c3d2e13',
  flowlet: '019b2cd8-a16f-7d90-8b37-0c1b2a3d4e14',
  webhook: '019b2ce0-7d53-7e2a-a4b1-5f4e3d2c1b15',
  model: '019b2ce8-4c71-7a35-9b0d-6e5d4c3b2a18',
  modelTable: '019b2ce9-1b62-7c48-8a1e-7f6e5d4c3b19',
  modelField: '019b2ce9-5d83-7b59-9c2f-8a7f6e5d4c1a',
  customersTable: '019b2ce9-2c73-7d5a-9b1f-8a7f6e5d4c1b',
  customerKey: '019b2ce9-6e94-7c6a-8d3e-9b8a7f6e5d1c',
  relationship: '019b2cea-1a05-7b7b-9e4d-0c9b8a7f6e1d',
  hierarchy: '019b2cea-5b16-7a8c-8f5c-1d0c9b8a7f1e',
  rollup: '019b2cea-7c1e-7f9c-905c-1e0d0c9b8a2f',
  policy: '019b2cea-9c27-799d-906b-2e1d0c9b8a1f',
  measure: '019b2ceb-1d38-78ae-817a-3f2e1d0c9b20',
  transform: '019b2ceb-5e49-77bf-9289-403f2e1d0c21',
  scimToken: '019b2cf0-5a26-7d41-8c93-2b1a0f9e8d18',
  metric: '019b2cf4-1a37-7b52-8d04-3c2b1a0f9e19',
  digest: '019b2cf5-2c48-7d61-9e15-4d3c2b1a0f2a',
  digestRun: '019b2cf6-3d59-7e72-8f26-5e4d3c2b1a3b',
  anomaly: '019b2cf7-4e6a-8f83-9a37-6f5e4d3c2b4c',
  dashboard: '019b2cfa-2b48-7c63-9e15-4d3c2b1a0f1e',
  report: '019b2cfe-2b48-7c63-9e15-4d3c2b1a0f2e',
  filter: '019b2cf8-6c59-7d74-8f26-5e4d3c2b1a1b',
  dashboardSchedule: '019b2cfb-3c59-7d74-8f26-5e4d3c2b1a0f',
  dashboardRun: '019b2cfc-4d6a-8e85-9037-6f5e4d3c2b10',
  reportSchedule: '019b2cfe-3c59-7d74-8f26-5e4d3c2b1a0f',
  reportRun: '019b2cfe-4d6a-8e85-9037-6f5e4d3c2b10',
  bookmark: '019b2cf8-ad6a-7e85-9037-6f5e4d3c2b1c',
  share: '019b2cfd-5e7b-8f96-9148-7a6f5e4d3c2e',
  embedToken: '019b2cfd-6f8c-8fa7-9259-8b7a6f5e4d3f',
  embedDomain: '019b2cfd-709d-8fb8-936a-9c8b7a6f5e4a',
  workspaceExport: '019b2cfe-81ae-8fc9-947b-0d9c8b7a6f5b',
  theme: '019b2cf9-0e7b-7f96-8148-7a6f5e4d3c1d',
  qualityTest: '019b2cf8-2b48-7c63-9e15-4d3c2b1a0f1a',
  qualityRun: '019b2cf8-3c59-7d74-8f26-5e4d3c2b1a1b',
  qualityIssue: '019b2cf8-4d6a-7e85-9037-6f5e4d3c2b1c',
  qualityJob: '019b2cf8-5e7b-7f96-8148-706f5e4d3c1d',
  qualityScan: '019b2cf9-1a26-7b45-9c18-0d9e8f7a6b1e',
  qualityScanSchedule: '019b2cf9-1b37-7c56-8d29-1e0f9a8b7c2f',
  qualitySuggestion: '019b2cf9-2b37-7c56-8d29-1eaf907b7c1f',
  delivery: '019b2ce4-0f68-8b76-9c12-8a7f6e5d4c16',
} as const;

/** When the records of the examples were created, and last changed. */
export const CREATED_AT = '2026-01-12T08:15:30.000Z';
export const CHANGED_AT = '2026-02-03T16:40:05.250Z';

/** The only page of a short list. */
export const page = <T>(items: readonly T[]) => ({ items, total: items.length, limit: 50, offset: 0 });

/** A user, and what a sign-in replies with. */
export const USER = {
  id: IDS.user,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  companyId: IDS.company,
  companyRole: 'company_admin',
};
export const SIGNED_IN = {
  accessToken: 'eyJhbGciOiJFZERTQSIsImtpZCI6InYxIn0.eyJzdWIiOiJhZGEifQ.5pT2Qw',
  refreshToken: 'rt_019b2c4e_8HkVn3Xq',
  tokenType: 'Bearer',
  expiresInSeconds: 900,
  workspaceId: IDS.workspace,
  user: USER,
};

/** Access to one object. */
export const ACCESS = {
  granteeType: 'group',
  granteeId: IDS.group,
  name: 'Finance',
  email: null,
  level: 'editor',
  grantedBy: IDS.user,
  grantedAt: CREATED_AT,
};
