/** Fairlead's operations over REST. */
export { restAdapter } from './rest-adapter.ts'
export { listRoutes } from './routes.ts'
export { signInCookie } from './session-cookie.ts'
export { clientAddress, createBodyRoom, errorStatus, largestBodyBytes, requestTarget } from '@fairlead/http'
export { sendRefusal, notStarted, unreadableRequest } from './refusals.ts'
export type { RestAdapterOptions } from './rest-adapter.ts'
export type {
  Admit,
  BodyRoom,
  BodyRoomOptions,
  Exchange,
  HttpRequest,
  RequestOrigin,
  SurfaceAdapter,
} from '@fairlead/http'
export type { PageResponse, PageParameters } from '@fairlead/http'
export type { Route } from './routes.ts'
export type { ServiceCookie, ServiceCookieOptions } from './service-cookie.ts'
export type { Page, PageDescription } from './pages.ts'
export type { ServiceDescription } from './built-in-pages.ts'
