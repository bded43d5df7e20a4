export { type EventStream, openEventStream } from './event-stream.ts'
export { createJsonScan, describeExcess, type JsonExcess, type JsonScan } from './json-scan.ts'
export { limitHeaders, type Standing } from './limit-headers.ts'
export { readBody } from './read-body.ts'
