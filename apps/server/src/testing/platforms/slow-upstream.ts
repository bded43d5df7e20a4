import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Body {
  readonly stream?: boolean
  readonly messages: readonly { readonly content: string }[]
}

const rejection = { error: { message: 'the sky is red', type: 'invalid_request_error' } }
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }

/**
 * A server that speaks the API of OpenAI, and answers with the prompt. Of a stream, it sends half, and the rest after
 * `release`. It rejects `fail`, and never responds to prompts that begin with `hang`.
 */
export async function openSlowUpstream() {
  const held: (() => void)[] = []
  const received = new Set<string>()
  const closed = new Set<string>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (piece) => (text += String(piece)))
    request.on('end', () => {
      const { stream = false, messages }: Body = JSON.parse(text)
      const prompt = messages.at(-1)!.content
      received.add(prompt)
      response.on('close', () => !response.writableFinished && closed.add(prompt))
      if (prompt === 'fail') return send(response, 400, rejection)
      if (prompt.startsWith('hang')) return undefined
      if (!stream) return send(response, 200, reply({ message: { role: 'assistant', content: prompt } }, 'stop'))
      const half = Math.ceil(prompt.length / 2)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ content: prompt.slice(0, half) }))
      held.push(() => response.end(`${event({ content: prompt.slice(half) })}${event({}, 'stop')}data: [DONE]\n\n`))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    /** Prompts whose connection was closed before the end of the reply. */
    closed,
    /** Sends the rest of all streams. */
    release() {
      for (const finish of held.splice(0)) finish()
    },
    close: () => server.close().closeAllConnections(),
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function event(delta: object, finishReason: string | null = null): string {
  return `data: ${JSON.stringify(reply({ delta }, finishReason))}\n\n`
}

function reply(part: object, finishReason: string | null): object {
  const choices = [{ index: 0, ...part, finish_reason: finishReason }]
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'chat', choices, usage }
}
