export type {
  Endpoint,
  PageResponse,
  PageEndpoint,
  PageParameters,
  Surface,
  SurfaceRequest,
  Translation,
} from './endpoint.ts'
export {
  type BodyHold,
  type BodyOwner,
  type BodyRoom,
  type BodyRoomOptions,
  createBodyRoom,
  defaultBodyRoom,
  largestBodyBytes,
  noRoomError,
  readBody,
  smallBodyBytes,
} from './request-body.ts'
export {
  type Admit,
  clientAddress,
  Exchange,
  type HttpRequest,
  matchesTag,
  requestPath,
  parseQuery,
  rejectQuery,
  requestTarget,
  shownPath,
  tagsFrom,
} from './http-request.ts'
export { toHeaderPairs, readStream, type RequestOrigin } from './fetch-handler.ts'
export { AnswerWriter, toTextAnswer, idFor, type NativeEvent } from './answer-writer.ts'
export { describeJsonError } from './json-error.ts'
export { describeExcess } from './json-body.ts'
export { isSealed, objectParser, type ParseObject, seal, readToolInput, unseal } from './json-text.ts'
export { staticDocument, type StaticDocument } from './static-document.ts'
export { modelEndpoints } from './model-endpoints.ts'
export { endResponse, EventStream, NodeRequest, sendResponse, statusSent, writeTo } from './node-handler.ts'
export { PathTable } from './path-table.ts'
export { type Fields, invalid, isObject, isPresent, listAt, objectAt, toUserLocation } from './request-fields.ts'
export {
  addFailure,
  addLimits,
  errorStatus,
  type EventWriter,
  type HeaderList,
  type HttpResponse,
  jsonResponse,
  type ResultEvent,
  standardHeaders,
} from './responses.ts'
export { eventText } from './server-sent-events.ts'
export { type SurfaceAdapter, surfaceAdapter, type SurfaceOptions, surfaceOptionNames } from './surface-adapter.ts'
