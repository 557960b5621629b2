import { baseUrl } from '../../../../shared/platform/http/base-url.ts';
import { type Binding, bind, bindPublic } from '../../../../shared/platform/http/bind.ts';
import { approveBrowserSignIn, type BrowserDeps, redeemSignInCode } from './browser.ts';
import * as routes from './routes.ts';
import {
  approveDeviceSignIn,
  type DeviceDeps,
  denyDeviceSignIn,
  findDeviceSignIn,
  redeemDeviceCode,
  startDeviceSignIn,
} from './use-cases.ts';

export const deviceBindings = (deps: DeviceDeps & BrowserDeps): Binding[] => [
  bindPublic(routes.startDeviceSignIn, ({ body, sourceIp, headers }) =>
    startDeviceSignIn(deps, { ...body, sourceIp, userAgent: headers['user-agent'], apiUrl: baseUrl(headers) }),
  ),
  bindPublic(routes.redeemDeviceCode, ({ body, sourceIp, headers, newId }) =>
    redeemDeviceCode(deps, { ...body, sourceIp, userAgent: headers['user-agent'], sessionId: newId }),
  ),
  bind(routes.findDeviceSignIn, ({ principal, body, sourceIp }) =>
    findDeviceSignIn(deps, { ...body, principal, sourceIp }),
  ),
  bind(routes.approveDeviceSignIn, ({ principal, body, sourceIp }) =>
    approveDeviceSignIn(deps, { ...body, principal, sourceIp }),
  ),
  bind(routes.denyDeviceSignIn, ({ principal, body, sourceIp }) =>
    denyDeviceSignIn(deps, { ...body, principal, sourceIp }),
  ),
  bind(routes.approveBrowserSignIn, ({ principal, body }) => approveBrowserSignIn(deps, { ...body, principal })),
  bindPublic(routes.redeemSignInCode, ({ body, sourceIp, headers, newId }) =>
    redeemSignInCode(deps, { ...body, sourceIp, userAgent: headers['user-agent'], sessionId: newId }),
  ),
];
