import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { chat } from './echo-chat.ts'
import type { Answer, Body, EchoDialect, ToolUse } from './echo-dialect.ts'
import { messages } from './echo-messages.ts'
import { responses } from './echo-responses.ts'

export interface Received {
  readonly path: string
  readonly body: Body
  /** Why the vendor would have rejected it. */
  readonly complaint: string | undefined
}

const dialects: Readonly<Record<string, EchoDialect>> = {
  '/v1/chat/completions': chat,
  '/v1/responses': responses,
  '/v1/messages': messages,
}

/** The models that clients use by default. */
const listed = ['gpt-6.2-sol', 'gpt-5', 'gpt-4.1', 'text-embedding-3-small', 'text-embedding-ada-002']

/** A server that speaks the APIs of OpenAI and Anthropic as strictly as they do, and answers with the text of the user. */
export async function openEcho(use?: ToolUse) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const body: Body = text === '' ? {} : JSON.parse(text)
      const send = (status: number, reply: object) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
      }
      if (path === '/v1/models')
        return send(200, { object: 'list', data: listed.map((id) => ({ id, object: 'model' })) })
      if (path === '/v1/embeddings') {
        received.push({ path, body, complaint: undefined })
        return send(200, embeddings(body))
      }
      const dialect = dialects[path]
      if (!dialect) return send(404, { error: { message: `Unknown path ${path}` } })
      const unknown = Object.keys(body).find((field) => !dialect.fields.has(field))
      const complaint =
        unknown === undefined ? dialect.complaint(body, request.headers) : `Unknown parameter: '${unknown}'.`
      received.push({ path, body, complaint })
      if (complaint !== undefined) return send(400, dialect.error(complaint))
      const { asked, tools, hasResult } = dialect.read(body)
      const calls = use && tools.includes(use.name) && !hasResult
      const answer: Answer = calls
        ? { call: use }
        : { text: hasResult ? 'The file is there.' : `Echo: ${lastLine(asked)}` }
      if (!body.stream) return send(200, dialect.whole(body, answer))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const { event, data } of dialect.stream(body, answer)) {
        const line = typeof data === 'string' ? data : JSON.stringify(data)
        response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${line}\n\n`)
      }
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** Agents put their own words before the user's. */
function lastLine(text: string): string {
  return /[^\n>]*$/.exec(text.trim())?.[0] ?? ''
}

/** Vectors of the length that OpenAI's smaller model has, in the encoding that the client asks for. */
function embeddings({ model, input, encoding_format: encoding }: Body): object {
  const texts = Array.isArray(input) && typeof input[0] !== 'number' ? input : [input]
  const vector = Float32Array.from({ length: 1_536 }, (_, index) => (index === 0 ? 1 : 0))
  const embedding = encoding === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector]
  return {
    object: 'list',
    model,
    data: texts.map((_: unknown, index: number) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 4, total_tokens: 4 },
  }
}
