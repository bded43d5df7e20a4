export { eventText, openEventStream, type EventStream, type SentEvent } from './event-stream.ts'
export {
  type Admit,
  type Answer,
  type EventBody,
  type Exchange,
  type Headers,
  type HttpRequest,
  type HttpResponse,
  isEventBody,
  openExchange,
  pathOf,
  type ResultEvent,
} from './exchange.ts'
export { fetchHandler, type FetchHandler, type RequestOrigin } from './fetch-handler.ts'
export { describeJsonError } from './json-error.ts'
export { createJsonScan, describeExcess, type JsonExcess, type JsonScan } from './json-scan.ts'
export { objectParser, type ParseObject, seal, toolInputOf, unseal } from './json-text.ts'
export { type DocumentResponse, keptDocument, type KeptDocument } from './kept-document.ts'
export { limitHeaders, type Standing } from './limit-headers.ts'
export { type HandlerOptions, nodeHandler, type NodeHandler, nodeRequest, sendResponse } from './node-handler.ts'
export { readBody } from './read-body.ts'
export { readJson } from './read-json.ts'
export {
  belowBasePath,
  clientAddress,
  idempotencyKeyFrom,
  ifMatchFrom,
  matchesTag,
  queryOf,
  rejectQuery,
  requestTarget,
} from './request-head.ts'
export {
  errorStatus,
  failureHeaders,
  jsonResponse,
  noteFailure,
  partsResponse,
  standardHeaders,
  warningsHeader,
} from './responses.ts'
export { endResponse, writeTo } from './slow-reader.ts'
export {
  type Endpoint,
  type Surface,
  type SurfaceAdapter,
  surfaceAdapter,
  type SurfaceOptions,
  surfaceOptionNames,
  type SurfaceRequest,
  type Translation,
} from './surface.ts'
