import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import * as z from 'zod'

const { URL: url, KEY: apiKey } = process.env
// Traces go to OpenAI, whatever the base URL is.
setTracingDisabled(true)
const written = []
const writeFile = tool({
  name: 'write_file',
  description: 'Writes a file.',
  parameters: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    written.push(`wrote ${content} to ${path}`)
    return written.at(-1)
  },
})
const results = {}
for (const [name, useResponses] of Object.entries({ openai: true, chat: false })) {
  const modelProvider = new OpenAIProvider({ apiKey, baseURL: `${url}/openai/v1`, useResponses })
  const runner = new Runner({ modelProvider })
  const plain = new Agent({ name: 'plain', instructions: 'Be brief.', model: 'gpt-5' })
  const { finalOutput: text } = await runner.run(plain, 'Say four words')
  const stream = await runner.run(plain, 'Say four words', { stream: true })
  let streamed = ''
  for await (const piece of stream.toTextStream()) streamed += piece
  await stream.completed
  const able = new Agent({ name: 'writer', instructions: 'Be brief.', model: 'gpt-5', tools: [writeFile] })
  const { finalOutput: closing } = await runner.run(able, 'Create hello.txt with the text Hello there')
  results[name] = { text, streamed, written: written.splice(0), closing }
}
process.stdout.write(JSON.stringify(results))
