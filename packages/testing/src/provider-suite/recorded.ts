import type { ServerResponse } from 'node:http'
import type { UpstreamAnswer } from '../fakes/test-upstream.ts'

/** The same answers, of which the last is kept for the message of a failing test. */
export function recorded(how: UpstreamAnswer, last: { reply: string }): UpstreamAnswer {
  return (response, request) => {
    const pieces: string[] = []
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Buffer) pieces.push(String(chunk.slice(0, 1_000)))
      last.reply = `${response.statusCode} ${pieces.slice(0, 20).join('')}`
    }
    const { write, end } = response
    response.write = ((...args: Parameters<ServerResponse['write']>) => {
      keep(args[0])
      return write.apply(response, args)
    }) as typeof write
    response.end = ((...args: Parameters<ServerResponse['end']>) => {
      keep(args[0])
      return end.apply(response, args)
    }) as typeof end
    return how(response, request)
  }
}
