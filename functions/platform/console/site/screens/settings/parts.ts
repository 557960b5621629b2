import type { ComponentType } from 'preact';
import { hasRole, type Me, type Role } from '../../data/me.ts';
import type { PartProps } from './part-props.ts';

interface Part {
  /** In its address. */
  key: string;
  title: string;
  group: 'You' | 'Workspace' | 'Company';
  role?: Role;
  /** Only for admins of the company. */
  isOfCompany?: true;
  load(): Promise<{ default: ComponentType<PartProps> }>;
}

/** The parts of the settings, in the order of their links; the first one opens by itself. */
const PARTS: readonly Part[] = [
  { key: 'account', title: 'Account', group: 'You', load: () => import('./account/index.tsx') },
  {
    key: 'workspace',
    title: 'General',
    group: 'Workspace',
    role: 'admin',
    load: () => import('./workspace/index.tsx'),
  },
  { key: 'members', title: 'Members', group: 'Workspace', role: 'admin', load: () => import('./members/index.tsx') },
  { key: 'groups', title: 'Groups', group: 'Workspace', role: 'admin', load: () => import('./groups/index.tsx') },
  { key: 'keys', title: 'API keys', group: 'Workspace', role: 'admin', load: () => import('./keys/index.tsx') },
  { key: 'secrets', title: 'Secrets', group: 'Workspace', role: 'editor', load: () => import('./secrets/index.tsx') },
  { key: 'themes', title: 'Themes', group: 'Workspace', role: 'admin', load: () => import('./themes/index.tsx') },
  { key: 'sharing', title: 'Links', group: 'Workspace', role: 'admin', load: () => import('./sharing/index.tsx') },
  { key: 'audit', title: 'Audit log', group: 'Workspace', role: 'admin', load: () => import('./audit/index.tsx') },
  {
    key: 'usage',
    title: 'Usage and budgets',
    group: 'Workspace',
    role: 'admin',
    load: () => import('./usage/index.tsx'),
  },
  {
    key: 'company',
    title: 'Company',
    group: 'Company',
    isOfCompany: true,
    load: () => import('./company/index.tsx'),
  },
  {
    key: 'sign-on',
    title: 'Sign-on',
    group: 'Company',
    isOfCompany: true,
    load: () => import('./sign-on/index.tsx'),
  },
];

export const partsOf = (me: Me): readonly Part[] =>
  PARTS.filter(
    ({ role, isOfCompany }) =>
      (role === undefined || hasRole(me, role)) && (!isOfCompany || me.user.companyRole === 'company_admin'),
  );
