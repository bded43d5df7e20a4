import type { Page } from 'playwright-core'

/** Answers the next calls of `/generate` with a long Markdown text, in parts of a few characters, as fast as models write. */
export async function streamLongText(page: Page, characters: number): Promise<void> {
  const section = `## A section

Some **bold** text with \`code\`, a [link](https://example.com/) and *emphasis*, long enough to be a paragraph of a model.

- one
- two with **bold** text
  - nested

| a | b | c |
| --- | --- | --- |
| 1 | 2 | 3 |

\`\`\`ts
for (const row of rows) console.log(row)
\`\`\`

`
  await page.addInitScript(answerWithStream, section.repeat(characters / section.length))
}

/** Runs in the browser. */
function answerWithStream(text: string): void {
  const charactersAtOnce = 40
  const pauseMs = 4
  const original = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    if (!(input instanceof Request) || !input.url.endsWith('/generate')) return original(input, init)
    const encoder = new TextEncoder()
    const send = (event: string, data: object) => encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    const body = new ReadableStream({
      async start(controller) {
        for (let at = 0; at < text.length; at += charactersAtOnce) {
          controller.enqueue(send('chunk', { content: text.slice(at, at + charactersAtOnce) }))
          // oxlint-disable-next-line no-await-in-loop -- a stream
          await new Promise((resolve) => {
            setTimeout(resolve, pauseMs)
          })
        }
        const usage = { prompt_tokens: 1, completion_tokens: text.length / 4, total_tokens: text.length / 4 }
        const meta = { request_id: 'req_1', provider: 'example', model: 'example', attempts: 1, cached: false }
        controller.enqueue(
          send('done', {
            data: { content: text, parts: [{ type: 'text', text }], finish_reason: 'stop', usage },
            meta,
          }),
        )
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}
