import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { countedWord, ending, piece } from './instant-completion.ts'
import { chatCompletion, reportUsage } from './report-usage.ts'

/**
 * A chat completions server whose streams have as many pieces as the prompt says, such as "21 pieces, one every 500 ms". The
 * first piece is sent at once. Streams that start together send the others at different times, so that pieces come alone.
 */
const event = piece({ content: countedWord }, null)
const last = piece({}, 'stop') + ending
/** Multiples of the golden ratio spread the streams evenly over an interval. */
const phase = 0.618_033_988_75
const backlog = 4_096

let started = 0
const server = createServer(async (request, response) => {
  const [, pieces, everyMs] = /(\d+) pieces, one every (\d+) ms/.exec(await text(request)) ?? []
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  sendPieces(response, Number(pieces), Number(everyMs))
})
// Idle connections end before the next load starts, so that each load starts without any.
server.keepAliveTimeout = 2_000
server.listen(0, '127.0.0.1', backlog, () => reportUsage((server.address() as AddressInfo).port, chatCompletion()))

/** The stream ends one interval after its last piece. */
function sendPieces(response: ServerResponse, pieces: number, everyMs: number): void {
  let left = pieces
  const sendNext = () => {
    if (left-- > 0) return void response.write(event)
    clearInterval(timer)
    response.end(last)
  }
  sendNext()
  let timer = setTimeout(
    () => {
      timer = setInterval(sendNext, everyMs)
      sendNext()
    },
    ((started++ * phase) % 1) * everyMs,
  )
  response.on('close', () => clearInterval(timer))
}
