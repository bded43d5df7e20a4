export type {
  Endpoint,
  Method,
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
  smallBodyBytes,
} from './body-room.ts'
export {
  type Admit,
  type EventWriter,
  Exchange,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  pathOf,
  type ResultEvent,
  shownPath,
} from './exchange.ts'
export { pairsOf, readStream, type RequestOrigin } from './fetch-handler.ts'
export { readBody } from './json-body.ts'
export { AnswerWriter, answerOf, idFor, type NativeEvent } from './answer-writer.ts'
export { describeJsonError } from './json-error.ts'
export { describeExcess, type JsonExcess, JsonScan } from './json-scan.ts'
export { isSealed, objectParser, type ParseObject, seal, toolInputOf, unseal } from './json-text.ts'
export { staticDocument, type StaticDocument } from './static-document.ts'
export { modelEndpoints } from './model-endpoints.ts'
export { NodeRequest } from './node-handler.ts'
export { endResponse, EventStream, sendResponse, statusSent, writeTo } from './node-writer.ts'
export { PathTable } from './path-table.ts'
export { clientAddress, matchesTag, queryOf, rejectQuery, requestTarget, tagsFrom } from './request-head.ts'
export { type Fields, invalid, isObject, isPresent, listAt, objectAt, toUserLocation } from './request-fields.ts'
export { addFailure, addLimits, errorStatus, jsonResponse, standardHeaders } from './responses.ts'
export { eventText } from './server-sent-events.ts'
export { type SurfaceAdapter, surfaceAdapter, type SurfaceOptions, surfaceOptionNames } from './surface-adapter.ts'
