import * as Type from 'typebox';
import { LinkToken } from '../../../../shared/domains/sharing/shares/index.ts';

export const PreviewParams = Type.Object({ token: LinkToken });
