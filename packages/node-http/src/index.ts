export { type EventStream, openEventStream } from './event-stream.ts'
export { readBody } from './read-body.ts'
