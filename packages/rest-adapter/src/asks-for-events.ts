/** Whether a client accepts server-sent events and nothing else: it then gets a stream, as with `stream: true`. */
export function asksForEvents(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return false
  return accept.split(',').every((range) => /^\s*text\/event-stream\s*(;|$)/i.test(range))
}
